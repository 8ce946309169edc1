"""Functions given to solvers that captured dictionaries, lists and tuples of what varies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr

from .compared import differences, refuse_solvers_the_ordinary_program

X, ELSEWHERE = np.array([1.3, 0.7]), np.array([0.9, 1.1])
V = np.array([0.3, -0.8])


def area(f: Any) -> Any:
    return integrate.quad(f, 0.0, 1.0, epsabs=1e-12)[0]


def end_of(f: Any, *args: Any) -> Any:
    return integrate.solve_ivp(f, (0.0, 1.0), [1.0, 0.5], args=args, rtol=1e-9, atol=1e-11).y[:, -1]


def a_dictionary(x: Any) -> Any:
    p = {"k": x[0], "m": x[1]}
    return area(lambda t: p["k"] * np.exp(-p["m"] * t))


def a_list(x: Any) -> Any:
    p = [x[0], x[1], 2.0]

    def f(t: Any) -> Any:
        a, b, c = p
        return a * np.exp(-b * t) * c + sum(p) * len(p)

    return area(f)


def nested(x: Any) -> Any:
    p: dict[str, Any] = {"a": {"k": x[0]}, "b": [x[1], 2.0], "n": 3, "name": "sine", "none": None}

    def f(t: Any) -> Any:
        s = 0.0
        for i in range(p["n"]):
            s += p["a"]["k"] * t**i
        return s * p["b"][0] if p["none"] is None and p["name"] == "sine" else 0.0

    return area(f)


def of_arrays(x: Any) -> Any:
    p = {"w": 2.0 * x, "m": x[1]}
    return area(lambda t: np.sum(p["w"] * np.exp(-p["m"] * t)))


def of_pairs(x: Any) -> Any:
    p = {"terms": [(x[0], x[1]), (x[1], 2.0 * x[0])]}
    return area(lambda t: sum(a * np.exp(-b * t) for a, b in p["terms"]))


def gone_through(x: Any) -> Any:
    p = {"a": x[0], "b": x[1]}
    return area(lambda t: sum(v * t for _, v in p.items()) + p.get("a", 1.0) * t + p.get("c", 3.0))


class Terms(NamedTuple):
    k: Any
    m: Any


def a_named_tuple(x: Any) -> Any:
    p = Terms(x[0], [x[1], 2.0])
    return area(lambda t: p.k * np.exp(-p.m[0] * t) * p[0] * p.m[1])


def one_array_twice(x: Any) -> Any:
    w = x * 1.0
    p = {"w": w, "u": w}
    return area(lambda t: np.sum(p["w"] * t) + np.prod(p["u"]) * t)


def with_other_keys(x: Any) -> Any:
    def one(p: Any) -> Any:
        return area(lambda t: p["k"] * np.exp(-p["m"] * t) if "m" in p else p["k"] * t)

    return one({"k": x[0], "m": x[1]}) * one({"m": x[1] ** 2, "k": x[0]}) * one({"k": x[0]})


def changed_later(x: Any) -> Any:
    p = {"k": x[0], "w": x * 1.0}
    y = area(lambda t: p["k"] * t * np.sum(p["w"] ** 2))
    p["k"] = 5.0 * x[1]
    p["w"][0] = 7.0
    return y * p["k"] + p["w"][0]


def a_slope(x: Any) -> Any:
    p = {"k": x[0], "m": [x[1]]}

    def slope(t: Any, y: Any) -> Any:
        dy = np.zeros(2)
        dy[0], dy[1] = -p["k"] * y[0], p["m"][0] * y[0] - y[1]
        return dy

    return np.sum(end_of(slope) ** 2)


def a_slope_of_lists(x: Any) -> Any:
    p = [x[0], x[1]]
    return np.sum(end_of(lambda t, y: [-p[0] * y[0] + p[1] * y[1], p[0] * y[0] - 2 * p[1] * y[1]]))


def a_root(x: Any) -> Any:
    p = {"k": x[0], "l": [x[1], 1.0]}
    found = optimize.root(lambda z: np.array([z[0] ** 3 + p["k"] * z[1] - 1.0, z[1] - p["l"][0] * z[0]]), X)
    return found.x[0] * found.x[1]


def a_crossing(x: Any) -> Any:
    p = [x[0], x[1]]
    return optimize.brentq(lambda z: z**3 + p[0] * z - p[1], 0.0, 5.0, xtol=1e-13)


def a_fixed_point(x: Any) -> Any:
    p = {"k": x[0], "m": x[1]}
    return 2.0 * optimize.fixed_point(lambda z: np.cos(p["k"] * z) * p["m"], 0.5, xtol=1e-13)


def a_minimum(x: Any) -> Any:
    p = {"k": x[0], "m": x[1]}
    found = optimize.minimize(lambda z: (z[0] - p["k"]) ** 2 + (z[1] - p["m"] * z[0]) ** 2, X, tol=1e-7)
    return np.sum(found.x)


PROGRAMS: list[Callable[[Any], Any]] = [
    a_dictionary, a_list, a_named_tuple, nested, of_arrays, of_pairs, gone_through, one_array_twice,
    with_other_keys, changed_later, a_slope, a_slope_of_lists, a_root, a_crossing, a_minimum, a_fixed_point,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_program_answers(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for x in (X, X, X, X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x), rtol=2e-5, atol=2e-6)
    refuse_solvers_the_ordinary_program(monkeypatch)
    for x in (X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("f", [nested, of_pairs, changed_later, a_slope, a_crossing, a_fixed_point])
def test_derivatives_of_these_derivatives(f: Any) -> None:
    for _ in range(4):
        gradient = cr.grad(f)(X)
        assert np.allclose(cr.jvp(f, (X,), (V,))[1], gradient @ V, rtol=1e-6)
    moved = [cr.grad(f)(X + h * V) for h in (1e-3, -1e-3)]
    for _ in range(3):
        assert np.allclose(cr.hvp(f, X, V), (moved[0] - moved[1]) / 2e-3, rtol=2e-3, atol=2e-4)


def test_a_gradient_inside_of_one() -> None:
    def f(x: Any) -> Any:
        slope = cr.grad(lambda p: area(lambda t: p["k"] ** 2 * np.exp(-p["m"] * t)))({"k": x[0], "m": x[1]})
        return slope["k"] * x[1] + slope["m"]

    for x in (X, X, X, X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x), rtol=2e-5, atol=2e-6)


def test_containers_that_are_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_name(p: Any) -> Any:
        return area(lambda t: p["k"] * np.exp(-p["m"] * t))

    def by_place(p: Any) -> Any:
        return area(lambda t: p[0] * np.exp(-p[1] * t))

    expected = differences(a_dictionary, X)
    for k in range(7):
        if k == 5:
            refuse_solvers_the_ordinary_program(monkeypatch)
        named = cr.grad(by_name)({"k": X[0], "m": X[1]})
        assert np.allclose([named["k"], named["m"]], expected, rtol=1e-6)
        assert np.allclose(cr.grad(by_place)([*X]), expected, rtol=1e-6)


def late(p: Any, t: Any) -> None:
    if t > 0.9:
        p["s"] = 2.0


def test_what_a_function_puts_into_a_dictionary_is_refused_as_ever() -> None:
    def itself(x: Any) -> Any:
        p = {"k": x[0], "s": x[1]}

        def f(t: Any) -> Any:
            if t > 0.9:
                p["s"] = 2.0
            return p["k"] * t * p["s"]

        return area(f)

    def by_another(x: Any) -> Any:
        p = {"k": x[0], "s": x[1]}

        def f(t: Any) -> Any:
            late(p, t)
            return p["k"] * t * p["s"]

        return area(f)

    def by_another_name(x: Any) -> Any:
        p = {"k": x[0], "s": [x[1]]}

        def f(t: Any) -> Any:
            q = p["s"]
            if t > 0.9:
                q.append(t)
            return p["k"] * t * p["s"][-1]

        return area(f)

    for f in (itself, by_another, by_another_name):
        for _ in range(5):
            with pytest.raises(cr.ChainRulesError):
                cr.grad(f)(X)


def test_a_dictionary_that_counts_is_counted_once() -> None:
    met = []

    def f(x: Any) -> Any:
        p = {"k": x[0], "n": 0}

        def g(t: Any) -> Any:
            p["n"] += 1
            return p["k"] * t**2

        y = area(g)
        met.append(p["n"])
        return y

    f(X)
    for _ in range(5):
        assert np.allclose(cr.grad(f)(X), [1 / 3, 0.0])
    assert len({*met}) == 1
