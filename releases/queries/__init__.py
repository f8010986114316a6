"""Everything that releases are made of, and what pages show of them."""
