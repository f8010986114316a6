"""The API of the crowd stage and of the gold pool."""
