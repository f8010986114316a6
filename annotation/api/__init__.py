"""The API of the shared ground, and what the API of every stage is made of."""
