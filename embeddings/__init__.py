"""Encoders of texts, and the vectors that they have made."""
