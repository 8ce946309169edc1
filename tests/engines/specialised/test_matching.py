"""`match` in specialised programs."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from .compared import is_right

X = np.random.default_rng(3).normal(size=12) * 0.5


@dataclass
class Circle:
    r: float


@dataclass
class Box:
    w: float
    h: float


class Pair(NamedTuple):
    a: float
    b: float


def area(s):
    match s:
        case Circle(r=r):
            return 3.14 * r * r
        case Box(w, h):
            return w * h
        case _:
            return s


def classes(x):
    return area(Circle(x[0])) + area(Box(x[1], x[2])) + area(x[3])


def numbers(x):
    s = 0.0
    for i, v in enumerate(x):
        match i % 4:
            case 0:
                s = s + v
            case 1 | 2:
                s = s * 0.9 + v * v
            case _:
                s = s - np.sin(v)
    return s


def guards(x):
    s = 0.0
    for v in x:
        match v:
            case z if z > 0.3:
                s = s + z * z
            case z if z < 0:
                s = s - z
            case _:
                s = s + 0.5 * v
    return s


def word(x, kind="cube"):
    match kind:
        case "square":
            return np.sum(x**2)
        case "cu" | "cube":
            return np.sum(x**3)


def sequences(x):
    def first(p):
        match p:
            case (a, b):
                return a * b
            case (a, *rest):
                return a * sum(rest)

    return first((x[0], x[1], x[2])) + first((x[3], x[4])) + first(Pair(x[5], x[6]))


def returned(x):
    for v in x:
        match v > 0.4:
            case True:
                return v * v
    return x[0]


@pytest.mark.parametrize("f", [classes, numbers, guards, word, sequences, returned])
def test_matches(f):
    assert is_right(f, X)


def test_isinstance_is_decided_by_the_kind():
    def f(x):
        shapes = Circle(x[0]), Box(x[1], x[2])
        s = 0.0
        for p in shapes:
            if isinstance(p, Circle):
                s = s + p.r**2
            elif isinstance(p, (Box, int)):
                s = s + p.w * p.h
        return s

    assert is_right(f, X)
