"""Pages of releases, of the data card, and of a study's statistics."""
