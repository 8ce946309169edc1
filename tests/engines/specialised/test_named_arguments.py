"""Functions of any number of named arguments, and decorated ones, in specialised programs."""

import functools

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right
from tests.engines.specialised.test_idioms_specialised import hold_specialised

X = np.array([0.7, 1.3, -0.4])


def scaled(by):
    """A decorator that keeps nothing of a function's signature."""

    def decorate(f):
        @functools.wraps(f)
        def g(*args, **kwargs):
            return by * f(*args, **kwargs)

        return g

    return decorate


@scaled(3.0)
def squared(a, b=1.0):
    return a * b * b


def of_names(x, /, y, *rest, z=1.0, **others):
    total = x * y * z + sum(rest)
    for name, v in others.items():
        total = total + v * len(name)
    return total


def energy(**parts):
    return sum(v * v for v in parts.values()) + parts.get("b", 0.5)


def setting(x, **parts):
    parts["a"] = parts["a"] * x
    parts["n"] = x**2
    return parts["a"] * parts["n"]


def within(x, **options):
    def f(t):
        return t * options["k"]

    return f(x) + f(x**2)


class Layer:
    def __init__(self, w, **options):
        self.w, self.options = w, options
        self.act = options.get("act", np.tanh)

    def __call__(self, x, **more):
        return self.act(self.w * x) * more.get("scale", 1.0) + self.options["bias"]


class Base:
    def __init__(self, a, **_):
        self.a = a


class Middle(Base):
    def __init__(self, b, **rest):
        super().__init__(**rest)
        self.b = b


class Top(Middle):
    def __init__(self, *args, c=1.0, **rest):
        super().__init__(*args, **rest)
        self.c = c


def decorated(x):
    return squared(x[0], b=x[1]) + squared(x[2])


def by_position_and_name(x):
    one = of_names(x[0], x[1], x[2], x[0], z=x[1] ** 2, x=x[2], foo=x[0] ** 2)
    return one * of_names(x[1], 2.0, **{"w": x[0], "z": x[2]})


def none_given(x):
    return energy() * x[0] + energy(a=x[1], b=x[1] * x[2])


def changed(x):
    return setting(x[0], a=x[1]) + setting(x[1], a=x[2])


def captured(x):
    return within(x[0], k=x[1]) + within(x[1], k=2.0)


def layers(x):
    one, two = Layer(x[0], bias=x[1]), Layer(x[1], bias=x[2], act=np.sin)
    return np.sum(one(x)) + np.sum(two(one(x, scale=x[2])))


def in_cooperation(x):
    made = Top(x[0], a=x[1], c=x[2] ** 2)
    return made.a * made.b * made.c + Top(x[1], a=x[0]).a


def pooled(x, size=(1, 2)):
    first, last = size
    return np.sum(x[first : first + last] ** 2)


def weighted(x, weights=(0.5, 2.0), names=("a", "bc")):
    return weights[0] * np.sum(x**2) + weights[1] * len(names[1]) * x[0]


def of_defaults(x):
    return pooled(x) * pooled(x, (0, 1))


def of_floats_as_defaults(x):
    return weighted(x) * weighted(x, weights=(1.0, x[1]))


def length(v):
    return abs(v) if isinstance(v, int | float) else np.sqrt(np.sum(v * v))


def of_a_union(x):
    return length(x) * length(x[0]) * length(2.0)


PROGRAMS = [
    of_defaults,
    of_floats_as_defaults,
    of_a_union,
    decorated,
    by_position_and_name,
    none_given,
    changed,
    captured,
    layers,
    in_cooperation,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f):
    assert is_right(f, X)
    hold_directions(f, X)


@pytest.mark.parametrize("f", [of_defaults, of_a_union], ids=lambda f: f.__name__)
def test_texts_at_once(f):
    hold_specialised(f, X)
