"""Everything that writes to the legal stage."""
