"""Forms of Python that programs are written in, defaults and arguments by name: all specialised."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

VECTOR = np.array([0.4, -1.3, 2.2])


def scaled(x, *, k=2.0):
    return x * k


def calls_by_name(x):
    return np.sum(scaled(x, k=x[0]) * scaled(x))


def masks(x):
    inside = (x > -1.0) & (x < 2.0) | (x == 9.0)
    return np.sum(np.where(inside, x * x, -x)) + np.sum(x[~inside] ** 3)


def floored(x):
    i = np.floor(np.abs(x)).astype(int)
    return np.sum(x[i % 3] * x) + np.sum((x > 0).astype(float) * x**2)


def repeated(x):
    n = len(x)
    ys = [0.0] * n
    for i in range(n):
        ys[i] = x[i] * x[i - 1]
    return -sum(ys) * ys[0]


def summed_with_a_sign(x):
    ys = [x * 0.5, x * x]
    return -np.sum(np.array(ys) * x[0]) - sum([x[0], x[1] * x[2]])


def squared_in_a_list(x):
    ys = []
    for v in x:
        ys.append(v * v * x[0])
    for i, (v, w) in enumerate(zip(x[1:], x[:-1])):  # noqa: B905  the subset
        ys.append(v * w * i)
    return np.sum(np.array(ys) ** 2)


def taken_as_arrays(x):
    x = np.asarray(x, dtype=float)
    y = np.ascontiguousarray(x[::-1])
    return np.sum(x * y**2)


def filled_in(x, w=None, k=None):
    if w is None:
        w = x * x
    if k is None:
        k = 2.0
    return np.sum(w * x) * k


def sorted_anew(x):
    y = np.sort(x * x)
    y[0] = y[1] * x[0]
    return np.sum(y * np.arange(3.0) * x)


FORMS = [
    taken_as_arrays,
    calls_by_name,
    masks,
    floored,
    repeated,
    summed_with_a_sign,
    squared_in_a_list,
    filled_in,
    sorted_anew,
]


@pytest.mark.parametrize("f", FORMS)
def test_forms(f: Any) -> None:
    points = [VECTOR, np.array([1.5, 0.2, -0.7])]
    with specialised_after(10**9):
        right = [cr.value_and_grad(f)(x) for x in points]
    for x, (_, gradient) in zip(points, right, strict=True):
        step = 1e-6
        ahead = [(f(x + e) - f(x - e)) / (2 * step) for e in step * np.eye(3)]
        np.testing.assert_allclose(gradient, ahead, rtol=1e-5, atol=1e-6)
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for x in points * 2:
            cr.value_and_grad(f)(x)
    assert not met
    with specialised_after(1):
        for x, (value, gradient) in [*zip(points, right, strict=True)] * 3:
            y, g = cr.value_and_grad(f)(x)
            np.testing.assert_allclose(y, value)
            np.testing.assert_allclose(g, gradient, rtol=1e-9, atol=1e-12)
        assert text_of(f)


def penalised(x, weight=3.0, /, scale=2.0, *, power=2):
    return np.sum(np.abs(x) ** power) * weight * scale + np.sum(x)


CALLS = [((), {}), ((1.5,), {}), ((1.5, 0.5), {}), ((), {"power": 3}), ((2.0,), {"scale": 0.3, "power": 4})]


@pytest.mark.parametrize(("rest", "named"), CALLS, ids=str)
def test_defaults_and_arguments_by_name(rest: Any, named: dict[str, Any]) -> None:
    with specialised_after(10**9):
        right = cr.value_and_grad(penalised)(VECTOR, *rest, **named)
    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(3):
            y, g = cr.value_and_grad(penalised)(VECTOR, *rest, **named)
            assert y == pytest.approx(right[0])
            np.testing.assert_allclose(g, right[1])
            np.testing.assert_allclose(cr.grad(penalised)(VECTOR, *rest, **named), right[1])
        assert text_of(penalised)
    assert not met


def test_a_default_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with specialised_after(1):
        for _ in range(3):
            before = cr.grad(penalised)(VECTOR)
            product = cr.hvp(penalised, VECTOR, VECTOR), cr.jvp(penalised, (VECTOR,), (VECTOR,))[1]
        monkeypatch.setattr(penalised, "__defaults__", (6.0, 2.0))
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(penalised)(VECTOR) - 1.0, 2.0 * (before - 1.0))
            np.testing.assert_allclose(cr.hvp(penalised, VECTOR, VECTOR), 2.0 * product[0])
            slope = cr.jvp(penalised, (VECTOR,), (VECTOR,))[1]
            np.testing.assert_allclose(slope - VECTOR.sum(), 2.0 * (product[1] - VECTOR.sum()))


def test_a_call_that_python_refuses_is_refused_by_python() -> None:
    with specialised_after(1):
        for _ in range(3):
            cr.grad(penalised)(VECTOR)
        for rest, named in (((), {"weight": 1.0}), ((1.0, 2.0, 3.0), {}), ((1.0, 2.0), {"scale": 1.0})):
            with pytest.raises(TypeError):
                cr.grad(penalised)(VECTOR, *rest, **named)


def test_the_last_argument_is_counted_among_those_that_are_given() -> None:
    def f(x, y=1.0):
        return x * x * y

    with specialised_after(1):
        for _ in range(3):
            assert cr.grad(f, -1)(3.0) == pytest.approx(6.0)
            assert cr.grad(f, -1)(3.0, 1.0) == pytest.approx(9.0)
            assert cr.grad(f, (0, 1))(3.0, 1.0) == pytest.approx((6.0, 9.0))


def growing_as_it_goes(x):
    ys = [x[0], x[1]]
    for v in ys:
        if len(ys) < 5:
            ys.append(v * x[2])
    return sum(ys)


def growing_by_another_name(x):
    ys = [x[0], x[1]]
    zs = ys
    for v in zs:
        if len(zs) < 5:
            ys.append(v * x[2])
    return sum(ys)


@pytest.mark.parametrize("f", [growing_as_it_goes, growing_by_another_name])
def test_a_list_that_grows_as_a_loop_goes_through_it(f: Any) -> None:
    step = 1e-6
    ahead = [(f(VECTOR + e) - f(VECTOR - e)) / (2 * step) for e in step * np.eye(3)]
    with specialised_after(1):
        for _ in range(4):
            np.testing.assert_allclose(cr.grad(f)(VECTOR), ahead, rtol=1e-6)


@pytest.mark.parametrize("given", [(), (VECTOR * 0.5,), (None, 3.0), (VECTOR, 1.5)], ids=len)
def test_arguments_that_are_filled_in(given: Any) -> None:
    with specialised_after(10**9):
        right = cr.value_and_grad(filled_in)(VECTOR, *given)
    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(4):
            y, g = cr.value_and_grad(filled_in)(VECTOR, *given)
            assert y == pytest.approx(right[0])
            np.testing.assert_allclose(g, right[1])
    assert not met
