"""Everything that writes to the crowd stage."""
