"""The API of releases and of the data card."""
