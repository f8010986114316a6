"""Pages of the legal stage."""
