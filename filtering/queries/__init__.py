"""Everything that pages, commands and releases read of the filter."""
