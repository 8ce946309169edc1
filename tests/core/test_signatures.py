"""Binding: what of a call is data and what metadata, however the call is spelled."""

import inspect
from typing import Any

import numpy as np
import pytest
from tests.core.calls import pulled, pushed, value_and_pullback

import chainrules as cr
from chainrules.core.signatures import bind, primal_signature, rule_signature, split_call

X = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("f", "positional", "by_name", "seed"),
    [
        (np.sum, (X, 1), {"axis": 1}, np.ones(2)),
        (np.sum, (X, 0), {"axis": 0}, np.ones(3)),
        (np.reshape, (X, (3, 2)), {"shape": (3, 2)}, np.ones((3, 2))),
    ],
)
def test_metadata_reaches_a_rule_alike_by_place_and_by_name(
    f: Any, positional: Any, by_name: Any, seed: Any
) -> None:
    y, back = value_and_pullback(f, *positional)
    named, named_back = value_and_pullback(f, positional[0], **by_name)
    np.testing.assert_array_equal(y, named)
    by_place = back(seed)
    np.testing.assert_array_equal(by_place[0], named_back(seed)[0])
    assert by_place[1:] == (cr.NoTangent(),)  # it answers for the positional primals of the call


def test_data_by_name_are_data() -> None:
    A, b = np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([2.0, 8.0])
    y, back = value_and_pullback(np.linalg.solve, A, b=b)
    np.testing.assert_array_equal(y, [1.0, 2.0])
    (A_bar,) = back(np.ones(2))  # for A alone: b is no positional primal of the call
    np.testing.assert_allclose(A_bar, -np.outer([0.5, 0.25], [1.0, 2.0]))
    y, back = value_and_pullback(np.linalg.solve, b=b, a=A)
    np.testing.assert_array_equal(y, [1.0, 2.0])
    assert back(np.ones(2)) == ()


def test_sentinels_count_as_left_out() -> None:
    initial: Any = np._NoValue
    np.testing.assert_array_equal(pulled(np.sum, X, initial=initial)[0], np.ones((2, 3)))


def test_what_equals_the_default_passes_and_the_rest_is_refused_before_any_work() -> None:
    ran = []

    def f(x, order="K", scale=1.0):
        ran.append(x)
        return x

    @cr.rrule(f)
    def f_rrule(x: float):
        ran.append(x)
        return x, lambda y_bar: (y_bar,)

    assert pulled(f, 1.0, order="K") == (1.0,)
    assert pulled(f, 1.0, "K", 1.0) == (1.0, cr.NoTangent(), cr.NoTangent())
    ran.clear()
    calls: list[tuple[Any, Any, str]] = [
        ((1.0, "C"), {}, "order='C'"),
        ((1.0,), {"scale": 2.0}, "scale=2.0"),
        ((1.0,), {"scale": True}, "scale=True"),  # equal to the default, and not the same
    ]
    for args, kwargs, named in calls:
        with pytest.raises(cr.UnsupportedArgument, match=named) as refused:
            cr.apply_rrule(f, *args, **kwargs)
        assert "test_signatures" in str(refused.value) and ".f " in str(refused.value)
        assert "next: leave" in str(refused.value)
    assert ran == []


def test_metadata_that_only_another_method_takes_is_refused() -> None:
    def f(x, axis=None):
        return x

    @cr.rrule(f)
    def f_rrule(x: float):
        return x, lambda y_bar: (y_bar,)

    @cr.rrule(f)
    def f_axis_rrule(x: np.ndarray, *, axis=None):
        return x, lambda y_bar: (y_bar,)

    assert pulled(f, np.ones(1), seed=np.ones(1), axis=0)[0] == 1.0
    with pytest.raises(cr.UnsupportedArgument, match="axis=0"):
        cr.apply_rrule(f, 1.0, axis=0)


def test_an_argument_given_twice_is_python_s_error() -> None:
    with pytest.raises(TypeError, match="multiple values for argument 'axis'"):
        cr.apply_rrule(np.sum, X, 1, axis=0)


def test_a_callable_without_signature_takes_data_by_place_and_passes_keywords_on() -> None:
    class Opaque:
        __signature__ = "none"  # Python refuses to read it

        def __init__(self) -> None:
            self.seen: dict[str, Any] = {}

    f: Any = type("F", (Opaque,), {"__call__": lambda self, *x, **k: self.seen.update(k) or x[0]})()
    assert primal_signature(f) is None

    @cr.rrule(f)
    def f_rrule(x: float, *, mode="a"):
        return f(x, mode=mode), lambda y_bar: (3.0 * y_bar,)

    assert pulled(f, 1.0, mode="b") == (3.0,)
    assert f.seen == {"mode": "b"}
    with pytest.raises(cr.UnsupportedArgument, match="other=1"):
        cr.apply_rrule(f, 1.0, other=1)


def test_a_signature_given_is_the_one_bound_to() -> None:
    def f(*args):
        return args[0] * (args[1] if len(args) > 1 else 1.0)

    @cr.rrule(f, signature="x, scale=1.0, /")
    def f_rrule(x: float, *, scale=1.0):
        return f(x, scale), lambda y_bar: (scale * y_bar,)

    assert pulled(f, 2.0) == (1.0,)
    assert pulled(f, 2.0, 5.0) == (5.0, cr.NoTangent())


def test_optional_data_left_out_have_no_cotangent() -> None:
    def f(x, y=2.0):
        return x * y

    @cr.rrule(f)
    def f_rrule(x: float, y: float = 2.0):
        return x * y, lambda y_bar: (y * y_bar, x * y_bar)

    @cr.frule(f)
    def f_frule(tangents, x: float, y: float = 2.0):
        dx, dy = tangents
        return x * y, y * dx + (0.0 if dy is cr.Zero() else x * dy)

    assert pulled(f, 3.0) == (2.0,)
    assert pulled(f, 3.0, 5.0) == (5.0, 3.0)
    assert pushed(f, (3.0,), (1.0,)) == (6.0, 2.0)


def test_the_default_fills_data_left_out_before_others() -> None:
    def f(x, y=2.0, z=3.0):
        return x * y * z

    @cr.rrule(f)
    def f_rrule(x: float, y: float, z: float):
        return x * y * z, lambda y_bar: (y * z, x * z, x * y)

    split = split_call(primal_signature(f), rule_signature(f_rrule), "f_rrule")
    assert bind(split, 1, ("z",)).data_of((1.0, 5.0)) == (1.0, 2.0, 5.0)
    assert pulled(f, 1.0, z=5.0) == (10.0,)


def test_variadic_data_are_all_data() -> None:
    def f(*x, scale=1.0):
        return scale * sum(x)

    @cr.rrule(f)
    def f_rrule(*x: float, scale=1.0):
        return f(*x, scale=scale), lambda y_bar: (scale * y_bar,) * len(x)

    assert pulled(f, 1.0, 2.0, 3.0, scale=4.0) == (4.0, 4.0, 4.0)


def test_needs_and_engine_are_asked_for_by_name_and_are_no_metadata() -> None:
    seen: list[Any] = []

    def f(x, y):
        return x * y

    @cr.rrule(f)
    def f_rrule(x: float, y: float, *, needs, engine):
        seen.append((needs, engine))
        return x * y, lambda y_bar: (y, x)

    value_and_pullback(f, 2.0, 3.0)
    assert seen.pop() == ((True, True), cr.core.default_engine())
    caller: Any = object()
    cr.core.reverse(f, (2.0, 3.0), needs=(False, True), engine=caller)
    assert seen.pop() == ((False, True), caller)
    with pytest.raises(cr.UnsupportedArgument, match="needs=1"):
        cr.apply_rrule(f, 2.0, 3.0, needs=1)


@pytest.mark.parametrize("rest", [False, True])
def test_a_primal_s_own_keyword_named_engine_never_meets_the_caller(rest: bool) -> None:
    def read(x, engine="c", **options):
        return x

    @cr.rrule(read)
    def read_rrule(x: float, *, engine):
        assert engine is cr.core.default_engine()
        return x, lambda y_bar: (y_bar,)

    def read_all(x, engine="c", **options):
        return x

    @cr.rrule(read_all)
    def read_all_rrule(x: float, *, engine, **options):
        assert engine is cr.core.default_engine()
        return x, lambda y_bar: (y_bar,)

    f = read_all if rest else read
    assert pulled(f, 1.0) == (1.0,)
    with pytest.raises(cr.UnsupportedArgument, match="engine='python'"):
        cr.apply_rrule(f, 1.0, engine="python")


def test_a_signature_may_be_computed_from_the_first_argument() -> None:
    class Poly:
        """Calls name its coefficients, as the object says."""

        def __init__(self, *names: str) -> None:
            self.names = names

        def at(self, *args: Any, **named: Any) -> Any:
            x, *rest = args
            values = [*rest, *(named[name] for name in self.names[len(rest) :])]
            return sum(c * x**i for i, c in enumerate(values))

    class Line(Poly): ...

    def signature_of(poly: Any) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in ("self", "x", *poly.names)])

    @cr.rrule(Poly.at, signature=signature_of)
    def at_rrule(poly: Poly, x: float, *values: float) -> Any:
        def at_pullback(y_bar: Any) -> Any:
            x_bar = sum(i * c * x ** (i - 1) for i, c in enumerate(values) if i)
            return cr.Zero(), x_bar * y_bar, *[x**i * y_bar for i in range(len(values))]

        return poly.at(x, *values), at_pullback

    line, square = Line("a", "b"), Poly("a", "b", "c")
    assert cr.apply_rrule(line.at, 3.0, 1.0, 2.0)[1](1.0) == (2.0, 1.0, 3.0)  # type: ignore[index]
    assert cr.grad(lambda c: square.at(3.0, 1.0, c=c, b=2.0))(5.0) == 9.0
    assert cr.grad(lambda x: square.at(x, b=2.0, a=1.0, c=5.0))(3.0) == 32.0
    with pytest.raises(cr.UnsupportedArgument, match="slope"):
        cr.grad(lambda s: line.at(3.0, 1.0, slope=s))(2.0)
