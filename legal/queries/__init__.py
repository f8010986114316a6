"""Everything that pages, releases and jobs read of the legal stage."""
