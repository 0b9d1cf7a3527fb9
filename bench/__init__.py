"""Benchmarks. Each figure is also given relative to a calibration loop of the same run."""
