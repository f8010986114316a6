"""Everything that the filter writes."""
