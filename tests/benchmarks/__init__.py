"""Benchmarks of the engine. `python -m benchmarks` in the folder `tests` runs them; no test depends on them."""
