"""Stars, parts of tuples and lists, generators, named tuples and several results: all specialised."""

import functools
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.tangents import Composite

from .compared import hold_directions, is_right

VECTOR = np.array([0.4, -1.3, 2.2])


def total(*values: Any, k: float = 1.0) -> Any:
    return k * sum(np.sum(v) for v in values)


def any_number_of_arguments(x):
    parts = (x, x * x)
    return total(x[0], *parts, k=x[1]) * total() + total(*x) ** 2


def parts_of_tuples(x):
    t = (x, x[0], 2.0)
    u = t[:2] + (x[1] * x,)  # noqa: RUF005  the sum of tuples is meant
    a, *rest = u
    *most, last = (x[0], x[1], x[2])
    return np.sum(a * rest[0] + rest[1]) * most[1] * last + len(u[::-1])


def parts_of_lists(x):
    ys = [x[0], x[1]]
    ys += [x[2] * x[0]]
    ys.extend(v * v for v in x)
    zs = ys[1:4] + ys[::-1]
    zs[0] = zs[1] * 2.0
    return sum(zs) * sum(list(ys)[:2])


def loops_over_tuples(x):
    s = 0.0
    for sign, f in ((1.0, 2.0), (-1.0, 0.5)):
        s = s + sign * np.sum(x * f)
    for i, (v, w) in enumerate(((x, x[0]), (x * x, x[1])), start=1):
        s = s + np.sum(v) * w * i
        if s > 50.0:
            break
    return s


def generated(v):
    for i in range(len(v) - 1):
        yield v[i], v[i + 1]
        if v[i] > 100.0:
            return


def generators(x):
    s = sum(a * b for a, b in generated(x))
    for a, b in generated(x * x):
        s = s + a * b
    first, second = (v * v for v in x[:2])
    return s + first * second


class Camera(NamedTuple):
    focal: Any
    offset: Any = 0.5


def named_tuples(x):
    c = Camera(x[0], offset=x)
    d = Camera(x[1])
    focal, offset = c
    return focal * np.sum(offset * c.offset) + d.focal * d[1]


def several_results(x):
    A = np.outer(x, x) + 3.0 * np.eye(3)
    q, r = np.linalg.qr(A)
    w, _ = np.linalg.eigh(A)
    _, log = np.linalg.slogdet(A)
    left, right = np.split(np.concatenate([x, x * x]), 2)
    return np.sum(q[0] * r[0]) + np.sum(w**2) + log + np.sum(left * right[::-1])


def joined(x):
    rows = [x, x * x, x[::-1]]
    a = np.vstack(rows) @ np.column_stack((x, x * 2.0))
    b = np.stack(rows, axis=1) + np.hstack([x[:1], x[1:]])
    return np.sum(a**2) + np.sum(b * np.concatenate([b, b], axis=-1)[:, 1:4])


def reduced(x):
    s = functools.reduce(lambda u, v: u * 0.5 + v, [x, x * x, x**3])
    ts = list(map(lambda v, w: v * w, x, x[::-1]))
    return np.sum(s) * sum(filter(lambda v: v < 0.5, ts))


def tried(x):
    try:
        y = x * x
    except ValueError:
        y = x
    finally:
        z = y + 1.0
    return np.sum(y * z)


def assigned_in_expressions(x):
    if (n := np.sum(x * x)) > 1.0:
        return n * x[0]
    return n


def places(x):
    y = x * x
    y[[0, 2]] = y[[2, 0]]
    return np.sum(y * x)


def nested(x):
    return sum(v * w for v in x for w in x if v < w) + len([1 for _ in x for _ in range(2)])


def views_that_are_read(x):
    L = np.zeros((3, 3))
    for i in range(3):
        for j in range(i + 1):
            L[i, j] = x[i] * x[j]
    return np.sum(np.diag(L) ** 2) + np.sum(L.reshape(-1) ** 2)


def entries(x):
    p = {"a": x, "b": x * x}
    s = 0.0
    for k, v in p.items():
        s = s + np.sum(v * x) * len(k) if k == "b" else s - v[0]
    for k in p:
        s = s + np.sum(p[k])
    return s + sum(v[0] for v in p.values()) * p.get("c", 2.0) + p.get("b", 1.0)[1]


def indices_and_axes(x):
    A = np.outer(x, x) + np.eye(3)
    i = np.triu_indices(3)
    A[i] = A[i] * 2.0
    B = A[None] * A[:, None]
    s = np.sum(A[np.ix_([0, 1], [1, 2])]) + np.sum(B, axis=(0, 1, 2))
    return s + np.sum(np.mean(B, axis=(0, -1)) ** 2) + np.sum(B.sum(axis=(1, 2), keepdims=True) ** 2)


def counted(x):
    s = 0.0
    for v, w in zip(reversed(x), x, strict=True):
        s += v * w * w
    return s


def running_totals(x):
    sums = list(itertools.accumulate(x))
    steps = [*itertools.accumulate([0.1, 0.2, 0.3], lambda h, v: np.tanh(x[0] * h + x[1] * v), initial=0.5)]
    products = np.array(list(itertools.accumulate(x, np.multiply)))
    total = 0.0
    for a, b in zip(itertools.accumulate(x * x, initial=None), sums, strict=True):
        total = total + a * b
    return total + steps[-1] * steps[1] + np.sum(products) + sum(itertools.accumulate(x, func=None))


FORMS = [
    running_totals,
    any_number_of_arguments,
    parts_of_tuples,
    parts_of_lists,
    loops_over_tuples,
    generators,
    named_tuples,
    several_results,
    joined,
    reduced,
    tried,
    assigned_in_expressions,
    places,
    nested,
    views_that_are_read,
    counted,
    entries,
    indices_and_axes,
]


@pytest.mark.parametrize("f", FORMS)
def test_forms(f: Any) -> None:
    points = [VECTOR, np.array([1.5, 0.2, -0.7])]
    step = 1e-6
    ahead = [[(f(x + e) - f(x - e)) / (2 * step) for e in step * np.eye(3)] for x in points]
    met: list[str] = []
    with specialised_after(1, met=met):
        for x, right in [*zip(points, ahead, strict=True)] * 3:
            np.testing.assert_allclose(cr.grad(f)(x), right, rtol=1e-4, atol=1e-5)
        assert text_of(f)
    assert not met


def layers(params, x):
    penalty = sum(np.sum(W * W) for W, _ in params)
    for i in range(len(params)):
        W, b = params[i]
        x = np.tanh(x @ W + b)
    for W, b in params[:-1]:
        penalty = penalty + np.sum(W) * np.sum(b)
    return np.sum(x) + penalty * params[-1][1][0]


def test_a_list_of_pairs() -> None:
    numbers = np.random.default_rng(0)
    params = [(numbers.normal(size=(3, 3)), numbers.normal(size=3)) for _ in range(3)]
    with specialised_after(10**9):
        right = cr.grad(layers)(params, VECTOR)
    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(3):
            found = cr.grad(layers)(params, VECTOR)
            assert type(found) is type(right) is Composite[list]
            assert type(found[0]) is type(right[0])
            for (a, b), (c, d) in zip(found, right, strict=True):
                np.testing.assert_allclose(a, c)
                np.testing.assert_allclose(b, d)
        assert not met
        assert len(cr.grad(layers)(params[:2], VECTOR)) == 2


def buffered(v):
    w = v * 1.0
    for i in range(2):
        w[i] = w[i] * 2.0
        yield w


def changed_meanwhile(x):
    y = x * 1.0
    s = 0.0
    for a, b in generated(y):
        y[2] = a * b
        s = s + a * b
    return s


def gone_through_twice(x):
    g = generated(x)
    return sum(a * b for a, b in g) + sum(a for a, b in g)


@pytest.mark.parametrize("f", [changed_meanwhile, gone_through_twice])
def test_what_a_generator_reads_later_is_left_to_the_ordinary_program(f: Any) -> None:
    with specialised_after(10**9):
        try:
            right = cr.grad(f)(VECTOR)
        except cr.ChainRulesError:
            return
    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(VECTOR), right)


def test_a_star_before_another_number_of_items() -> None:
    def f(x):
        return total(*x) ** 2

    with specialised_after(1):
        for n in (3, 3, 2, 4, 3):
            x = np.arange(1.0, n + 1.0)
            np.testing.assert_allclose(cr.grad(f)(x), np.full(n, 2.0 * np.sum(x)))


def model(t: Any, a: Any, b: Any = 1.0, c: Any = 2.0) -> Any:
    return a * t + b * np.sin(c * t)


def entries_by_name(x: Any) -> Any:
    given = {"a": x[0], "b": x[1]}
    return model(0.5, **given) * x[2]


def entries_beside_names_and_items(x: Any) -> Any:
    rest = (0.3, x[1])
    return model(*rest, **{"b": x[0]}, c=x[2]) + model(0.5, b=x[1], **{"a": x[0], "c": x[2]})


def entries_for_a_function_inside(x: Any) -> Any:
    def loss(p: Any) -> Any:
        return model(0.7, **p)

    return loss({"a": x[0], "b": x[1], "c": x[2]})


def options_of_a_library(x: Any) -> Any:
    options: Any = {"axis": 0}
    return np.sum(np.sum(np.outer(x, x), **options) ** 2)


@pytest.mark.parametrize(
    "f",
    [
        entries_by_name,
        entries_beside_names_and_items,
        entries_for_a_function_inside,
        options_of_a_library,
    ],
    ids=lambda f: str(f.__name__),
)
def test_entries_of_a_dictionary_among_the_arguments(f: Callable[[Any], Any]) -> None:
    x = np.array([0.7, 1.3, -0.4])
    assert is_right(f, x)
    hold_directions(f, x)
