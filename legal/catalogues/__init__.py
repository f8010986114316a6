"""The catalogues that Juryroom ships, and how a catalogue is read from YAML."""

from pathlib import Path

CANADA = Path(__file__).resolve().parent / "canada.yaml"
