"""Pages of releases, and of the data card."""
