"""What random programs call: functions, generators, classes and context managers, modules."""

import contextlib
import functools
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

MATRIX = np.array([[0.2, -0.5, 0.3], [0.7, 0.1, -0.4], [-0.3, 0.6, 0.5]])


def half(v: Any, *, k: Any = 0.5) -> Any:
    return v * k


def twice(f: Any, v: Any) -> Any:
    return f(f(v))


def mixed(v: Any, w: Any, /, k: Any = 1.0) -> Any:
    return v * w + k * v


def total(*values: Any, k: Any = 1.0, **more: Any) -> Any:
    s = k
    for i, v in enumerate(values):
        s = s + v * i
    for v in more.values():
        s = s * 0.5 + v
    return s


def power(v: Any, n: int) -> Any:
    """Recursion."""
    if n == 0:
        return 1.0
    return v * power(v, n - 1) * 0.5 + 0.1


def first_above(values: Any, bound: float) -> Any:
    """A return from within two loops."""
    for k in range(2):
        for v in values:
            if v * (k + 1) > bound:
                return v * v
    else:
        return bound


def bump(z: Any, k: Any) -> None:
    """Changes its argument."""
    z[1] = z[1] * 0.5 + k
    z += 0.1


def shifted(z: Any, k: Any) -> Any:
    """Changes its argument and returns another number."""
    old = z[0]
    z[0] = old * 0.5 + k
    return old * k


class TooLarge(ValueError):
    """What `limited` raises."""


def limited(v: Any, bound: float = 0.6) -> Any:
    if v > bound:
        raise TooLarge("too large")
    return v * 1.5


def countdown(v: Any, n: int) -> Iterator[Any]:
    while n > 0:
        yield v * n
        v = v * 0.5 + 0.1
        n -= 1


def forever(v: Any) -> Iterator[Any]:
    try:
        while True:
            yield v
            v = np.sin(v) + 0.3
    finally:
        v = 0.0


def chained(values: Any) -> Iterator[Any]:
    yield 0.5
    yield from values
    yield from countdown(values[0], 2)


class Scaled:
    """A context manager that gives a number and leaves nothing behind."""

    def __init__(self, k: Any) -> None:
        self.k = k

    def __enter__(self) -> Any:
        return self.k * 0.5

    def __exit__(self, *_: Any) -> None:
        return None


class Ignoring:
    """A context manager that swallows what `limited` raises."""

    def __enter__(self) -> "Ignoring":
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        return kind is not None and issubclass(kind, TooLarge)


@contextlib.contextmanager
def doubled(v: Any) -> Iterator[Any]:
    yield v * 2.0


class Pair(NamedTuple):
    first: Any
    second: Any

    @property
    def swapped(self) -> "Pair":
        return Pair(self.second, self.first)

    def mean(self, k: Any = 0.5) -> Any:
        return k * self.first + (1.0 - k) * self.second


@dataclass
class Spring:
    k: Any
    rest: Any = 0.25
    forces: list[Any] = field(default_factory=list)

    @property
    def energy(self) -> Any:
        return self.k * (self.rest - 0.1) ** 2

    def stiffer(self, by: Any) -> "Spring":
        return replace(self, k=self.k + by)

    def pull(self, by: Any) -> None:
        self.rest += by * 0.1
        self.forces.append(by)

    @classmethod
    def of(cls, pair: Any) -> "Spring":
        return cls(pair[0], rest=pair[1])


@dataclass(frozen=True)
class Point:
    at: Any
    weight: Any = 1.0

    def __add__(self, other: "Point") -> "Point":
        return Point(self.at + other.at, self.weight * 0.5)

    def __mul__(self, k: Any) -> "Point":
        return Point(self.at * k, self.weight)

    __rmul__ = __mul__

    @staticmethod
    def middle(p: "Point", q: "Point") -> "Point":
        return (p + q) * 0.5


@dataclass
class Ramp:
    """A dataclass that completes itself."""

    low: Any
    step: Any = 0.5

    def __post_init__(self) -> None:
        self.high = self.low + self.step


def waves(v: Any) -> Any:
    """Two new arrays, of which their rules keep what they gave."""
    return np.tanh(v), np.exp(v * 0.1)


class Box:
    """An object with state, which its methods, a setter and a store change."""

    def __init__(self, w: Any) -> None:
        self.w = w * w
        self.arr = np.array([w, w * 2, 1.0])

    @property
    def total(self) -> Any:
        return np.sum(self.arr * self.arr) * 0.1

    @property
    def curve(self) -> Any:
        return np.tanh(self.arr * self.w)

    @property
    def level(self) -> Any:
        return self.w * 0.5

    @level.setter
    def level(self, value: Any) -> None:
        self.w = value * 2.0

    def __add__(self, other: "Box") -> "Box":
        made = Box(self.w * 0.5 + other.w)
        made.arr[:] = self.arr * other.arr
        return made

    def __getitem__(self, i: int) -> Any:
        return self.arr[i] * self.w

    def __setitem__(self, i: int, value: Any) -> None:
        self.arr[i] = value * 0.5

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[Any]:
        for v in self.arr:
            yield v * 0.5

    def __call__(self, z: Any) -> Any:
        return np.sum(self.arr * z)

    def grow(self, k: Any) -> None:
        self.w = self.w + k * 0.5
        self.arr[1] *= k * 0.2 + 1

    def taken(self, k: Any) -> Any:
        """Changes the object and returns a number."""
        self.w = self.w * 0.5
        return self.w * k

    @staticmethod
    def mean(values: Any) -> Any:
        return sum(values) / len(values)


class Crate(Box):
    """A subclass that asks its base."""

    def __init__(self, w: Any, lid: Any) -> None:
        super().__init__(w)
        self.lid = lid

    @property
    def total(self) -> Any:
        return super().total + self.lid

    def grow(self, k: Any) -> None:
        super().grow(k * 0.5)
        self.lid = self.lid * 0.9


MODULES = {"contextlib": contextlib, "functools": functools, "itertools": itertools, "math": math}
NAMES: dict[str, Any] = {n: v for n, v in globals().items() if not n.startswith("__")} | MODULES
