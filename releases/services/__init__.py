"""Everything that makes releases."""
