"""Everything that pages and jobs read of the crowd stage."""
