"""The demonstration study: its content (posts, people, settings) and the builder that makes it."""
