"""The parts of the embedded PostgreSQL and Redis; nothing here imports Django."""
