"""Chance that can be replayed: each number follows from the seed and how many were drawn before, on every machine alike."""

from __future__ import annotations

from collections.abc import Sequence

from plainchant.records import Frozen

_MASK = (1 << 64) - 1


class Chance(Frozen):
    """A random source that is a value: `seed`, and `drawn`, how many numbers were taken from it."""

    seed: int
    drawn: int = 0

    def below(self, limit: int) -> tuple[int, Chance]:
        """A number from 0 to limit - 1, and the source after it."""
        return _mixed(self.seed + (self.drawn + 1) * 0x9E3779B97F4A7C15) * limit >> 64, Chance(self.seed, self.drawn + 1)

    def among(self, weights: Sequence[int]) -> tuple[int, Chance]:
        """A place in a list, each as likely as its weight says, and the source after it. Weights are whole numbers from 0 on, not all 0."""
        left, following = self.below(sum(weights))
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return place, following
        raise ValueError("all weights are 0")


def _mixed(value: int) -> int:
    """SplitMix64's output function (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014)."""
    z = value & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)
