"""Everything that writes to the shared ground."""
