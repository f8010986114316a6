"""Cleans the text of a post by named, versioned steps; refuses settings that it does not know."""

from annotation.cleaning.cleaning import Cleaned, CleaningSettings, clean
from annotation.cleaning.non_ascii import NonAscii, drop_non_ascii, fold_to_ascii
from annotation.cleaning.users import USER, mask_users, mentions_user
from annotation.cleaning.whitespace import tidy_whitespace

__all__ = [
    "USER",
    "Cleaned",
    "CleaningSettings",
    "NonAscii",
    "clean",
    "drop_non_ascii",
    "fold_to_ascii",
    "mask_users",
    "mentions_user",
    "tidy_whitespace",
]
