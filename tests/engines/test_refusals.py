"""Refusals: Python that is not differentiated is refused before anything runs, at its exact place."""

import asyncio
import contextlib
import linecache
import types

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.random_programs import function_of

import chainrules as cr

PROGRAMS: list[tuple[str, str, list[str]]] = [
    ("`eval`", "eval('x * x')", ["return eval('x * x')"]),
    ("`exec`", "exec('y = x', {})", ["exec('y = x', {})", "return x"]),
]
"""What is said, the place where the caret stands, and the body of a function of x."""


BODIES: list[list[str]] = [
    ["return sum({v * x for v in (1.0,)})"],
    ["try:", "    raise ValueError(x)", "except ValueError as e:", "    x = e.args[0] * x", "return x"],
    ["return max({x, 1.0})"],
    ["y = [0.0]", "y[(z := x * x) > 9] = 1.0", "return z"],
    ["l = [x]", "for l[0] in range(2):", "    pass", "return l[0] * x"],
    ["np.value = x", "return x * np.value"],
    ["global G", "G = x", "return G * x"],
    ["z = x", "g = lambda: z", "t = (g,)", "z = 2.0", "return t[0]() * x"],
    ["return locals()['x'] * x"],
]


@pytest.mark.parametrize("mode", [rightly.grad, rightly.derivative])
@pytest.mark.parametrize("body", BODIES)
def test_what_only_moves_values_about_is_followed(mode, body):
    f = function_of("".join(["def program(x):\n", *(f"    {line}\n" for line in body)]))
    f.__globals__["np"] = types.SimpleNamespace()
    mode(f)(2.0)


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
@pytest.mark.parametrize(("what", "place", "body"), PROGRAMS)
def test_syntax_is_refused_at_its_place(mode, what, place, body):
    ran: list[str] = []
    f = function_of(
        "".join(["def program(x):\n    RAN.append('ran')\n", *(f"    {line}\n" for line in body)])
    )
    f.__globals__["RAN"] = ran
    with pytest.raises(cr.UnsupportedSyntaxError) as caught:
        mode(f)(2.0)
    error = caught.value
    shown = str(error)
    assert what in shown.splitlines()[0]
    assert "next: " in shown
    assert not ran
    assert error.filename == f.__code__.co_filename
    line = linecache.getline(error.filename, error.lineno or 0)
    assert error.text == line
    assert line[(error.offset or 0) - 1 :].startswith(place)
    assert f"{' ' * line.strip().index(place)}^" in shown.splitlines()[3]


def test_a_refusal_in_a_callee_shows_the_call():
    def callee(x):
        return eval("x * x")

    def caller(x):
        return callee(x * 2) + 1.0

    with pytest.raises(cr.UnsupportedSyntaxError) as caught:
        cr.grad(caller)(2.0)
    assert "eval" in str(caught.value)


async def coroutine(x: float) -> float:
    await asyncio.sleep(0)
    return x


def test_coroutines_are_refused():
    with pytest.raises((cr.UnsupportedSyntaxError, cr.NotDifferentiableError)):
        cr.grad(coroutine)(2.0)


@pytest.mark.parametrize("differentiate", [cr.grad, cr.derivative])
def test_a_callable_that_writes_into_its_argument(differentiate):
    def scale_into(out, x):
        out[0] = 3 * x

    @cr.rrule(scale_into, mutates=(0,))
    def scale_into_rrule(out: np.ndarray, x: float):
        scale_into(out, x)
        return None, lambda y_bar, states: (cr.Zero(), 3 * states[0][0])

    @cr.frule(scale_into, mutates=(0,))
    def scale_into_frule(tangents, out: np.ndarray, x: float):
        scale_into(out, x)
        return None, cr.NoTangent(), {0: np.array([3 * tangents[1]])}

    def f(x):
        out = np.zeros(1)
        for write in (scale_into,):
            write(out, x)
        return out[0]

    assert differentiate(f)(2.0) == 3.0


def test_what_carries_no_derivative_is_taken_as_it_is():
    def f(x):
        squares = [i * i for i in range(3)]
        table = {k: len(k) for k in "ab"}
        try:
            k = int("q")
        except ValueError:
            k = squares[2]
        text = f"{x:.1f}"  # noqa: F841  # it reaches nothing
        table["c"] = 1
        squares[0] = 7
        assert x > 0, f"bad {x}"
        with contextlib.suppress(KeyError):
            del table["z"]
        with contextlib.suppress(KeyError):
            raise KeyError
        if (n := len(squares)) > 2:
            k = k + n
        return x * k * squares[0] * table["c"] * sum(v for v in squares)

    assert cr.grad(f)(2.0) == 7 * 7 * 12
    assert cr.derivative(f)(2.0) == 7 * 7 * 12


def test_a_whole_number_that_moves_promises_an_error_in_both_modes():
    def f(n):
        return n.bit_length() * 1.0

    for mode in (cr.grad, cr.derivative):
        with pytest.raises(cr.NoRuleError):
            mode(lambda n: n.to_bytes(1, "big")[0] * 1.0)(3)
    _, dy = cr.jvp(f, (3,), (1.0,))
    assert isinstance(dy, cr.NotImplementedTangent)
    assert "has no rule" in dy.why
    with pytest.raises(cr.NoRuleError, match="a whole number reached it"):
        cr.grad(f)(3)
    assert cr.jvp(f, (3,), (cr.Zero(),))[1] is cr.Zero()


def test_an_exception_that_an_unknown_manager_suppresses():
    def f(x):
        y = x
        manager = contextlib.suppress(ZeroDivisionError)
        with manager:
            y = x * x
            y = y / 0
        return y

    rightly.grad(f)(2.0)


def test_a_differentiated_key():
    def f(x):
        return sum({x: 1.0, 2 * x: 2.0}.keys())

    for mode in (cr.grad, cr.derivative):
        mode(f)(2.0)


@pytest.mark.parametrize("f", [lambda x: x.sum(), lambda x: x.compressed().sum(), lambda x: np.ma.dot(x, x)])
def test_masked_arrays_are_refused_by_name(f):
    x = np.ma.masked_array([1.0, 2.0], [False, True])
    for call in (lambda: cr.grad(f)(x), lambda: cr.jvp(f, (x,), (np.ones(2),))):
        with pytest.raises(cr.NoRuleError, match=r"numpy\.ma\..* has no rule") as refused:
            call()
        assert "pass numpy.where(mask, 0, x)" in str(refused.value)
