"""Chance that can be replayed: each number follows from the seed and how many were drawn before, on every machine alike."""

from __future__ import annotations

from dataclasses import dataclass, replace

_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Chance:
    """A random source that is a value: `seed`, and `drawn`, how many numbers were taken from it."""

    seed: int
    drawn: int = 0

    def below(self, limit: int) -> tuple[int, Chance]:
        """A number from 0 to limit - 1, and the source after it."""
        return _mixed(self.seed + (self.drawn + 1) * 0x9E3779B97F4A7C15) * limit >> 64, replace(self, drawn=self.drawn + 1)


def _mixed(value: int) -> int:
    """SplitMix64's output function (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014)."""
    z = value & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)
