"""Measures speed; every figure stands beside a calibration loop of the same run."""
