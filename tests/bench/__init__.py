"""Measurements, run by script/bench; each on a data folder of its own that is thrown away."""
