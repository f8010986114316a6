"""The API of the legal stage: what its pages do, for programs."""
