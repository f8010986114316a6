"""The catalogue that Juryroom ships, and catalogues as values: read, written, compared."""

from pathlib import Path

CANADA = Path(__file__).resolve().parent / "canada.yaml"
