"""Real posts travel from files to releases, and a crowd works a month; all is counted again."""
