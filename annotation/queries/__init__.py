"""Everything that pages, commands and jobs read of the shared ground."""
