"""The API of releases, the data card and the statistics."""
