"""Pages of the shared ground."""
