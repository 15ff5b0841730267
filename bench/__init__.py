"""Benchmarks: how long it takes, as ratios. Run from the root of the repository; see README.md."""
