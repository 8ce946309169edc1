"""Registration: what a decorator returns, what replaces what, and that a refusal registers nothing."""

import threading
from typing import Any

import numpy as np
import pytest
from tests.core.calls import pulled, pushed

import chainrules as cr
from chainrules.core import registry

ROW = """
def {name}(x: {kind}):
    return f(x), lambda y_bar: ({slope} * y_bar,)
rule = cr.rrule(f)({name})
"""


def primal() -> Any:
    """A function that nothing is registered for."""

    def f(x, axis=None):
        return x

    return f


def run(f: Any, slope: float, *, module: str = "a", name: str = "f_rrule", kind: str = "float") -> Any:
    """Register a rule from a file of this module, as a cell or a reload does."""
    scope: dict[str, Any] = {"__name__": module, "cr": cr, "f": f, "np": np}
    exec(compile(ROW.format(name=name, kind=kind, slope=slope), f"{module}.py", "exec"), scope)
    return scope["rule"]


def test_a_decorator_returns_the_rule_itself() -> None:
    f = primal()

    def f_rrule(x: float):
        return f(x), lambda y_bar: (y_bar,)

    def f_frule(tangents, x: float):
        return f(x), tangents[0]

    assert cr.rrule(f)(f_rrule) is f_rrule
    assert cr.frule(f)(f_frule) is f_frule


def test_the_same_types_again_are_refused_and_the_first_rule_stays() -> None:
    f = primal()
    run(f, 2.0)
    for again in ({"module": "b"}, {"name": "other_rrule"}):
        with pytest.raises(
            cr.RegistrationError, match=r"has a reverse rule for these types already.*a\.py:2"
        ):
            run(f, 3.0, **again)
    assert pulled(f, 1.0) == (2.0,)


def test_the_same_rule_run_again_replaces_itself_also_in_engines() -> None:
    f = primal()
    run(f, 2.0)
    gradient = cr.grad(lambda x: f(x))
    assert (gradient(1.0), pulled(f, 1.0)) == (2.0, (2.0,))
    run(f, 5.0)
    assert (gradient(1.0), pulled(f, 1.0)) == (5.0, (5.0,))
    assert len(cr.rules_for(f).reverse) == 1


def test_a_rule_registered_later_is_found_by_what_ran_before() -> None:
    f = primal()
    gradient = cr.grad(lambda x: f(x))
    assert gradient(1.0) == 1.0  # its Python source
    run(f, 7.0)
    assert gradient(1.0) == 7.0
    assert pulled(f, 1.0) == (7.0,)


def test_a_rule_that_would_take_the_place_of_two_is_refused() -> None:
    def f(x, y=1.0):
        return x * y

    @cr.rrule(f)
    def one_rrule(x: float):
        return f(x), lambda y_bar: (y_bar,)

    @cr.rrule(f)
    def two_rrule(x: float, y: float):
        return f(x, y), lambda y_bar: (y * y_bar, x * y_bar)

    def one_or_two(x: float, y: float = 1.0):
        return f(x, y), lambda y_bar: (y_bar, y_bar)

    one_or_two.__qualname__, one_or_two.__module__ = one_rrule.__qualname__, one_rrule.__module__
    with pytest.raises(cr.RegistrationError, match="two_rrule"):
        cr.rrule(f)(one_or_two)
    assert pulled(f, 2.0, 3.0) == (3.0, 2.0)


def test_two_rules_that_fit_equally_well_are_both_named() -> None:
    def f(x, y):
        return x * y

    @cr.rrule(f)
    def left_rrule(x: float, y: object): ...

    @cr.rrule(f)
    def right_rrule(x: object, y: float): ...

    with pytest.raises(cr.AmbiguousRuleError) as refused:
        cr.apply_rrule(f, 1.0, 2.0)
    message = str(refused.value)
    assert message.count("test_registry.py:") == 2
    assert "left_rrule" in message and "right_rrule" in message


class Meters(float):
    """A number with a class of its own."""


def f_moved(tangents, x: float, *, axis=None): ...
def f_of_array(x: np.ndarray, *, axis=None): ...
def f_with_data_axis(x: int, axis: int): ...
def f_with_unknown(x: int, *, axes=None): ...
def f_with_three(x: int, y: int, z: int): ...
def f_of_floats(x: list[float]): ...
def f_of_nothing_known(x: "Nowhere"): ...  # type: ignore[name-defined]  # noqa: F821  # what is tested


REFUSED = [
    pytest.param(f_with_data_axis, {}, "takes axis as data", id="another split"),
    pytest.param(
        f_with_unknown, {}, "keyword-only axes, which the primal does not have", id="unknown keyword"
    ),
    pytest.param(f_with_three, {}, "3 data parameters, the primal has 2", id="too many data"),
    pytest.param(f_of_floats, {}, r"x: list\[float\], on which no argument's type", id="parametric"),
    pytest.param(f_of_nothing_known, {}, "annotation that cannot be read", id="no such name"),
    pytest.param(f_of_array, {"mutates": (1,)}, "mutates argument 1", id="mutates metadata"),
    pytest.param(f_of_array, {"still": ("axes",)}, r"still=\('axes',\), which are not names", id="still"),
    pytest.param(f_of_array, {"still": "axis"}, "still='axis', which are not names", id="still as a text"),
    pytest.param(np.sin, {}, "no Python function", id="no function"),
]


@pytest.mark.parametrize(("rule", "options", "what"), REFUSED)
def test_what_does_not_fit_is_refused_and_nothing_registered(rule: Any, options: Any, what: str) -> None:
    f = primal()
    cr.frule(f)(f_moved)  # axis is metadata from here on
    before = str(cr.rules_for(f))
    with pytest.raises(cr.RegistrationError, match=what) as refused:
        cr.rrule(f, **options)(rule)
    assert "next: " in str(refused.value)
    assert str(cr.rules_for(f)) == before


def test_a_signature_that_is_none_is_refused() -> None:
    f = primal()
    with pytest.raises(cr.RegistrationError, match="is no Python signature"):
        cr.rrule(f, signature="x, (")(f_of_array)
    assert registry.rules_of(f) is None


def test_the_first_rule_splits_the_call_for_both_modes() -> None:
    f = primal()
    cr.rrule(f)(f_with_data_axis)
    with pytest.raises(
        cr.RegistrationError, match="takes axis as metadata, an earlier rule takes it as data"
    ):

        @cr.frule(f)
        def f_frule(tangents, x: float, *, axis=None): ...

    assert cr.rules_for(f).forward == ()


def method_of(x: float): ...


class Holder:
    """An object with a method of each kind."""

    def method(self, x): ...

    @classmethod
    def build(cls, x): ...


@pytest.mark.parametrize("f", [Holder().method, Holder.build, np.ones(3).sum, dict.fromkeys])
def test_a_bound_method_is_no_key_and_the_function_is_named(f: Any) -> None:
    with pytest.raises(cr.RegistrationError, match="bound to one object") as refused:
        cr.rrule(f)(method_of)
    assert "closest: the function " in str(refused.value)
    with pytest.raises(cr.RegistrationError):
        cr.non_differentiable(f, why="of nothing")


def test_what_is_not_callable_is_no_key() -> None:
    number: Any = 3.0
    with pytest.raises(cr.RegistrationError, match=r"3\.0 is not callable"):
        cr.rrule(number)(method_of)


def test_a_decorator_takes_one_callable_or_an_attribute() -> None:
    with pytest.raises(cr.RegistrationError, match="a rule takes one callable"):
        cr.rrule(np.sin, float)


def test_a_rule_of_what_is_declared_without_derivative_is_refused() -> None:
    f = primal()
    cr.non_differentiable(f, why="a test")
    for register in (lambda: run(f, 1.0), lambda: cr.opt_out(f, float)):
        with pytest.raises(cr.RegistrationError, match="declared not differentiable: a test"):
            register()
    assert pulled(f, 1.0) == (cr.NoTangent(),)


def test_threads_register_and_look_up_at_once() -> None:
    count, failures = 40, []
    functions = [primal() for _ in range(count)]
    start = threading.Barrier(4)

    def write() -> None:
        start.wait()
        for f in functions:
            run(f, 1.0)
            run(f, 2.0, kind="np.ndarray", name="array_rrule")

    def read() -> None:
        start.wait()
        for f in functions * 3:
            applied = cr.apply_rrule(f, 1.0)
            if applied is not None and applied[1](1.0) != (1.0,):
                failures.append(f)

    threads = [threading.Thread(target=t) for t in (write, read, read, read)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures
    assert all(pulled(f, 1.0) == (1.0,) for f in functions)
    assert all(pulled(f, np.ones(1), seed=np.ones(1))[0] == 2.0 for f in functions)


def test_a_look_up_that_was_overtaken_by_a_registration_is_not_kept() -> None:
    f = primal()
    run(f, 1.0)
    rules = registry.rules_of(f)
    assert rules is not None
    resolve = rules.resolve

    def overtaken(mode: Any, types: Any) -> Any:
        found = resolve(mode, types)
        rules.__dict__.pop("resolve", None)
        run(f, 9.0)
        return found

    rules.__dict__["resolve"] = overtaken
    assert pulled(f, 1.0) == (1.0,)
    assert pulled(f, 1.0) == (9.0,)


def test_both_modes_stand_side_by_side() -> None:
    f = primal()
    run(f, 3.0)
    assert cr.apply_frule(f, (1.0,), (1.0,)) is None

    @cr.frule(f)
    def f_frule(tangents, x: float):
        return x, 3.0 * tangents[0]

    assert pushed(f, (1.0,), (2.0,)) == (1.0, 6.0)
