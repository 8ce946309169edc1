"""Derivatives along directions, and Hessians, by specialised programs."""

import contextlib
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from tests.engines.specialised import test_random_calls_specialised as calls

import chainrules as cr
from chainrules.engines.specialised.running import directions
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.tangents import ZERO

VECTOR = np.array([0.4, -1.3, 2.2, 0.7])


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def chain(x):
    for _ in range(4):
        x = np.sin(x) * x + np.exp(-x)
    return np.sum(x)


def table(x):
    y = np.zeros(4)
    y[0] = x[0]
    for i in range(1, 4):
        y[i] = y[i - 1] * 0.9 + x[i] * x[i] * y[0]
        y[: i - 1] *= 0.5
    return np.sum(y * y)


def growing(x):
    ys = [x * 0.5]
    for i in range(3):
        ys.append(ys[-1] * x[i] + ys[0])
    return np.sum(np.array(ys)[:, 1] ** 3)


def helper(u, k):
    return u * u[0] * k, k * k


def calling(x):
    u, k = helper(x, x[1])
    v, k = helper(u, k)
    return np.sum(v / (1.0 + u * u)) * k


def branching(x):
    s = 1.0
    for i in range(4):
        if x[i] > 0.5:
            r = x[i] ** 1.5
            s = s * r
        else:
            s = s + np.log(x[i] ** 2)
    return s


def sums_of_exponentials(x):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))


def matrices(x):
    a = np.outer(x, x) + np.eye(4)
    b = np.concatenate([a @ x, x[:2]]).reshape(2, 3)
    return np.sum(b @ b.T) / np.max(a, axis=0).sum()


def stretched(x):
    y = x[:, None] + 1.0
    z = y - x[0]
    return np.sum(z * x) + np.mean((2.0 * y).T)


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __mul__(self, other):
        return Point(self.x * other.x, self.y + other.y)


def objects(x):
    p = Point(x[0], x[1])
    for i in range(3):
        p = p * Point(x[i], x[i + 1] ** 2)
    return p.x * p.y


def slopes_that_change(x):
    c = np.array([2.0, 0.5, 1.5, 3.0])
    t = x * c
    u = t
    c[0] = 7.0
    k = x[0] * 2.0
    y = x * k
    for i in range(2):
        z = np.sin(y) * y - t
        y = z * c + y
        k = y[i] * k
        x = x * 1.5 if i else x + 1.0
    return np.sum(t * x) + np.sum(u * u) * k + np.sum(y)


PROGRAMS = [
    slopes_that_change,
    rosenbrock,
    chain,
    table,
    growing,
    calling,
    branching,
    sums_of_exponentials,
    matrices,
    stretched,
    objects,
]


def answers(f: Any, x: Any, v: Any) -> Any:
    """Value, derivative along v, Hessian times v, and Hessian."""
    return *cr.jvp(f, (x,), (v,)), cr.hvp(f, x, v), cr.hessian(f)(x)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_directions_agree_with_the_ordinary_program_and_differences(f):
    points = [VECTOR, VECTOR[::-1] * 0.8]
    v = np.array([0.3, -0.2, 0.5, 1.0])
    with specialised_after(10**9):
        right = [answers(f, x, v) for x in points]
    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(2):
            for x, wanted in zip(points, right, strict=True):
                for mine, theirs in zip(answers(f, x, v), wanted, strict=True):
                    np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-10)
                    assert type(mine) is type(theirs) or isinstance(mine, float)
    assert not met
    step = 1e-6
    gradient = cr.grad(f)
    product = (gradient(points[1] + step * v) - gradient(points[1] - step * v)) / (2 * step)
    np.testing.assert_allclose(right[1][2], product, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_compared_directions_disagree_nowhere(f):
    with specialised_after(1, compared=True):
        for x in (VECTOR, VECTOR[::-1] * 0.8, VECTOR * 0.3):
            answers(f, x, VECTOR[::-1])


def test_a_chain_of_elementary_steps_is_multiplied_by_its_tangent_once():
    with specialised_after(1):
        for _ in range(3):
            cr.jvp(chain, (VECTOR,), (VECTOR,))
        text = cr.derivative_source(chain, VECTOR, mode="specialised")
    loop = text[text.index("for _ in") : text.index("reduce")]
    assert loop.count("* x_dot") == 1


def test_each_argument_moves_as_it_is_told():
    def f(a, x, b):
        return a * np.sum(x * x) * b + a**3

    x = (1.5, np.array([0.5, 2.0]), 0.3)
    v = (0.5, np.array([1.0, -1.0]))
    with specialised_after(10**9):
        right = cr.hvp(f, x, v, argnums=(0, 1)), cr.hessian(f, (1, 0))(*x), cr.jvp(f, x, (0.0, v[1], 2.0))
    with specialised_after(1):
        for _ in range(3):
            mine = cr.hvp(f, x, v, argnums=(0, 1)), cr.hessian(f, (1, 0))(*x), cr.jvp(f, x, (0.0, v[1], 2.0))
            for a, b in zip(mine[0], right[0], strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-12)
            for row, wanted in zip(mine[1], right[1], strict=True):
                for a, b in zip(row, wanted, strict=True):
                    assert np.shape(a) == np.shape(b)
                    np.testing.assert_allclose(a, b, rtol=1e-12)
            np.testing.assert_allclose(mine[2], right[2], rtol=1e-12)


def test_a_derivative_of_one_number_is_a_number():
    def f(t):
        return t * np.sin(t)

    with specialised_after(1):
        for _ in range(3):
            assert cr.derivative(f)(0.5) == pytest.approx(np.sin(0.5) + 0.5 * np.cos(0.5))
            assert cr.hessian(f)(0.5) == pytest.approx(2 * np.cos(0.5) - 0.5 * np.sin(0.5))


def test_directions_of_directions_are_the_ordinary_programs():
    def f(x):
        return np.sum(x**3)

    with specialised_after(1):
        for _ in range(3):
            cr.jvp(f, (VECTOR,), (VECTOR,))
            cr.hvp(f, VECTOR, VECTOR)
            cr.hessian(f)(VECTOR)
        slope = cr.grad(lambda x: cr.jvp(f, (x,), (VECTOR,))[1])(VECTOR)
        np.testing.assert_allclose(slope, 6.0 * VECTOR * VECTOR)
        slope = cr.grad(lambda x: np.sum(cr.hvp(f, x, VECTOR)))(VECTOR)
        np.testing.assert_allclose(slope, 6.0 * VECTOR)
        slope = cr.grad(lambda x: np.sum(cr.hessian(f)(x)))(VECTOR)
        np.testing.assert_allclose(slope, np.full(4, 6.0))


def test_a_result_is_no_array_of_the_callers():
    def same(x):
        return x

    v = np.ones(4)
    with specialised_after(1):
        for _ in range(3):
            _, t = cr.jvp(same, (VECTOR,), (v,))
        t[0] = 7.0
    assert v[0] == 1.0


def test_infinite_slopes_are_left_to_the_ordinary_program():
    def f(x):
        return np.sum(np.sqrt(x) * x)

    x, v = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    with specialised_after(10**9):
        right = cr.jvp(f, (x,), (v,))[1]
    with specialised_after(1):
        for _ in range(4):
            cr.jvp(f, (np.array([0.5, 1.0]),), (v,))
        np.testing.assert_allclose(cr.jvp(f, (x,), (v,))[1], right)


@pytest.mark.parametrize("group", range(6))
@pytest.mark.filterwarnings("ignore")
def test_random_programs_have_the_same_directions(group: int) -> None:
    for seed in range(group * 2, group * 2 + 2):
        directions_agree(seed)


def directions_agree(seed: int) -> str:
    """What became of a random program: "same", or why nothing was compared."""
    f = calls.function(calls.Programs(seed).text(), f"<random directions {seed}>")
    draw = np.random.default_rng(seed)
    points = [(draw.normal(size=5), float(draw.normal())) for _ in range(2)]
    dx = draw.normal(size=5), float(draw.normal())
    met: list[str] = []
    with np.errstate(all="ignore"):
        try:
            with specialised_after(10**9):
                right = [cr.jvp(f, (x.copy(), s), dx) for x, s in points]
        except Exception as refused:
            return f"refused: {type(refused).__name__}"
        with specialised_after(1, met=met):
            for (x, s), wanted in [*zip(points, right, strict=True)] * 2:
                for mine, theirs in zip(cr.jvp(f, (x.copy(), s), dx), wanted, strict=True):
                    np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-8)
            for x, s in points * 2:
                product = cr.grad(f, (0, 1))
                step = 1e-6
                ahead, behind = (product(x + h * dx[0], s + h * dx[1]) for h in (step, -step))
                mine = cr.hvp(f, (x.copy(), s), dx, argnums=(0, 1))
                for a, p, q in zip(mine, ahead, behind, strict=True):
                    size = 1.0 + np.max(np.abs(p)) + np.max(np.abs(a))
                    if np.all(np.isfinite(a)) and size < 1e4:
                        np.testing.assert_allclose(a, (p - q) / (2 * step), atol=1e-3 * size, rtol=1e-2)
    return f"declined: {met[0]}" if met else "same"


KEPT = {
    "det": lambda x: np.linalg.det(np.outer(x, x) + np.eye(4)),
    "solve": lambda x: np.linalg.solve(np.outer(x, x) + 5 * np.eye(4), x)[0],
    "einsum": lambda x: np.einsum("i,i,j->", x, x, x),
    "trapezoid": lambda x: np.trapezoid(x * x, x),
    "polyval": lambda x: np.polyval(x, x[0]),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_pullback_moves_with_what_it_has_kept(name: str) -> None:
    """Also where its cotangent is a constant, and the first direction is zero, as which nothing moves."""
    f = KEPT[name]
    e = 1e-5 * VECTOR
    expected = (cr.grad(f)(VECTOR + e) - cr.grad(f)(VECTOR - e)) / 2e-5
    with specialised_after(1):
        for _ in range(3):
            assert not cr.hvp(f, VECTOR, np.zeros(4)).any()
        np.testing.assert_allclose(cr.hvp(f, VECTOR, VECTOR), expected, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(cr.hessian(f)(VECTOR) @ VECTOR, expected, rtol=1e-6, atol=1e-6)


def test_second_derivatives_of_what_is_linear() -> None:
    """The ordinary program's product is a zero without parts."""
    with specialised_after(1):
        for _ in range(3):
            assert not cr.hvp(lambda x: np.sum(x * 2.0), VECTOR, VECTOR).any()


def test_a_text_is_held_against_the_ordinary_program_along_all_that_moves(monkeypatch: Any) -> None:
    """A fault that the first direction hides is found: here one that is put in."""
    right = directions.run_of

    def wrong(variant: Any, x: Any, dx: Any) -> Any:
        answer = right(variant, x, dx)
        if answer is not None and len(answer[1]) > 1:
            answer[1][1] = (answer[1][1][0] + dx[0][1],)
        return answer

    monkeypatch.setattr(directions, "run_of", wrong)
    along, across = np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0, 0.0])
    with specialised_after(1):
        first = cr.hvp(rosenbrock, VECTOR, along)
        second = cr.hvp(rosenbrock, VECTOR, across)
    np.testing.assert_allclose(first[1], second[0])
    np.testing.assert_allclose(second, cr.hessian(rosenbrock)(VECTOR)[:, 1])


OFFSETS = [
    lambda x, k: np.sum(x * x, initial=k),
    lambda x, k: (x * x).sum(initial=k),
    lambda x, k: np.sum(x * x, None, None, None, False, k),
    lambda x, k: sum([x[0], x[1] * x[2]], k),
    lambda x, k: np.diff(x * x, prepend=k),
    lambda x, k: np.diff(x * x, append=k),
    lambda x, k: np.diff(x * x, 1, -1, k),
]


@pytest.mark.parametrize("place", range(len(OFFSETS)))
def test_a_constant_term_has_no_tangent(place: int) -> None:
    """Also where it was zero when the text was written, and a fault would not have shown."""
    f, e = OFFSETS[place], 1e-6 * VECTOR
    with specialised_after(1):
        for k in (0.0, 0.0, 0.0, 3.0, 3.0):
            slope = cr.jvp(f, (VECTOR, k), (VECTOR, cr.Zero()))[1]
            expected = (np.asarray(f(VECTOR + e, k)) - f(VECTOR - e, k)) / 2e-6
            np.testing.assert_allclose(slope, expected, rtol=1e-6)
            if np.ndim(expected) == 0:
                product = cr.hvp(f, (VECTOR, k), VECTOR, argnums=0)
                ahead = cr.grad(f)(VECTOR + e, k) - cr.grad(f)(VECTOR - e, k)
                np.testing.assert_allclose(product, ahead / 2e-6, rtol=1e-6, atol=1e-8)


def test_a_direction_may_lie_otherwise_in_memory() -> None:
    x, dx = np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3) ** 2)
    with specialised_after(1):
        for t in (np.ascontiguousarray(dx), dx, dx):
            slope = cr.jvp(lambda x: x.T.ravel("K") * 2.0, (x,), (t,))[1]
            np.testing.assert_allclose(slope, dx.ravel() * 2.0)
            slope = cr.jvp(turned_as_it_lies, (x,), (t,))[1]
            np.testing.assert_allclose(slope, dx.ravel() * 2.0)


def turned_as_it_lies(x):
    return np.ravel(x.T, order="K") * 2.0


def by_name_alone(x: Any, a: Any, b: float = 2.0, *, c: float = 1.5) -> Any:
    return np.sum(x**3) * a * b * c


@pytest.mark.parametrize("settings", [{}, {"runs": 1}, {"runs": 1, "compared": True}], ids=str)
def test_arguments_by_name_alone(settings: Any) -> None:
    x, v = np.array([0.5, -1.0, 2.0]), np.array([1.0, 0.3, -2.0])
    for given, scale in (((2.0,), 6.0), ((2.0, 1.0), 3.0)):
        f = FunctionType(by_name_alone.__code__, globals(), "f", (2.0,))
        f.__kwdefaults__ = {"c": 1.5}
        with specialised_after(**settings) if settings else contextlib.nullcontext():
            for _ in range(5):
                np.testing.assert_allclose(cr.hessian(f)(x, *given), scale * np.diag(6.0 * x))
                y, dy = cr.jvp(f, (x, *given), (v, *[ZERO] * len(given)))
                assert (y, dy) == pytest.approx((scale * np.sum(x**3), scale * np.sum(3.0 * x**2 * v)))
                _, second = cr.jvp(cr.grad(f), (x, *given), (v, *[ZERO] * len(given)))
                np.testing.assert_allclose(second, scale * 6.0 * x * v)
