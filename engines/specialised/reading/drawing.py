"""Drawing: the random numbers of a generator that the function itself makes, from a seed.

    rng = np.random.default_rng(0)      rng = Draws(0), or OldDraws(0) for RandomState(0)
    rng.normal(mu, sigma, 5)            mu + sigma * drawn(…, "standard_normal", 5)

A run that is given up has drawn from a generator that nobody else sees. A generator that is given to the
function is changed by what is drawn, and is left to the ordinary program, as one without a seed is. The class
is read in turn, as if it were the program's own; what it has no method for is declined.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.changes import pure

DRAWING = __name__
"""The module whose class is read as if it were a program's own."""


class Source:
    """A generator."""

    __slots__ = ("rng",)

    def __init__(self, rng: Any) -> None:
        self.rng = rng


def maker_of(f: Any) -> type | None:
    """What stands for what `np.random.default_rng` or `RandomState` makes; None for any other function.

    These load where a program uses them.
    """
    name = getattr(f, "__name__", None)
    if name not in ("default_rng", "RandomState") or f is not getattr(np.random, name):
        return None
    return Draws if name == "default_rng" else OldDraws


def source_of(seed: Any, old: bool) -> Source:
    """The generator of a seed; TypeError where there is none, or where it is a generator."""
    if not isinstance(seed, int | np.integer):
        raise TypeError("no seed")
    return Source(np.random.RandomState(seed) if old else np.random.default_rng(seed))


def drawn(source: Source, name: str, *given: Any) -> Any:
    """What a method of the generator draws."""
    return getattr(source.rng, name)(*given)


def together(*sizes: Any) -> Any:
    """A size of which each axis was given by itself; None where there is none."""
    return tuple([n for n in sizes if n is not None]) or None


def size_of(size: Any, a: Any, b: Any) -> Any:
    """How many numbers of a distribution with parameters are drawn; None for one."""
    return np.broadcast_shapes(np.shape(a), np.shape(b)) or None if size is None else size


for _f in (drawn, source_of):
    non_differentiable(_f, why="random numbers that depend on no parameter")
    pure(_f)
non_differentiable(size_of, together, why="a shape")
pure(size_of)
pure(together)


class Draws:
    """A generator of NumPy's."""

    def __init__(self, seed: Any) -> None:
        self.source = source_of(seed, False)

    def standard_normal(self, size: Any = None) -> Any:
        """Numbers of the standard normal distribution."""
        return drawn(self.source, "standard_normal", size)

    def standard_exponential(self, size: Any = None) -> Any:
        """Numbers of the standard exponential distribution."""
        return drawn(self.source, "standard_exponential", size)

    def random(self, size: Any = None) -> Any:
        """Numbers between 0 and 1."""
        return drawn(self.source, "random", size)

    def integers(self, low: Any, high: Any = None, size: Any = None) -> Any:
        """Whole numbers."""
        return drawn(self.source, "integers", low, high, size)

    def permutation(self, x: int) -> Any:
        """The numbers up to one, in any order."""
        return drawn(self.source, "permutation", x)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers of a normal distribution, as they move with its parameters."""
        return loc + scale * drawn(self.source, "standard_normal", size_of(size, loc, scale))

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Numbers between two."""
        return low + (high - low) * drawn(self.source, "random", size_of(size, low, high))

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers of an exponential distribution."""
        return scale * drawn(self.source, "standard_exponential", size_of(size, scale, scale))


class OldDraws(Draws):
    """A generator of NumPy's older sort."""

    def __init__(self, seed: Any) -> None:
        self.source = source_of(seed, True)

    def randn(self, d0: Any = None, d1: Any = None, d2: Any = None) -> Any:
        """Numbers of the standard normal distribution."""
        return drawn(self.source, "standard_normal", together(d0, d1, d2))

    def rand(self, d0: Any = None, d1: Any = None, d2: Any = None) -> Any:
        """Numbers between 0 and 1."""
        return drawn(self.source, "random", together(d0, d1, d2))

    def random_sample(self, size: Any = None) -> Any:
        """Numbers between 0 and 1."""
        return drawn(self.source, "random", size)

    def randint(self, low: Any, high: Any = None, size: Any = None) -> Any:
        """Whole numbers."""
        return drawn(self.source, "randint", low, high, size)


STAND_FOR = {Draws: "Generator", OldDraws: "RandomState"}
"""The name of NumPy's class that each of these stands for."""
