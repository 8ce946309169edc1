"""The declarations beside the rules: no derivative, one mode only; each says why."""

from typing import Any

import numpy as np
import pytest
from tests.core.calls import pulled, pushed, unary

import chainrules as cr


def test_what_has_no_derivative_answers_no_tangent_for_every_argument() -> None:
    def bucket(x, width=10.0):
        return int(x // width)

    cr.non_differentiable(bucket, why="returns an index")
    assert pulled(bucket, 25.0, 5.0) == (cr.NoTangent(), cr.NoTangent())
    assert pulled(bucket, 25.0, width=5.0) == (cr.NoTangent(),)
    assert pushed(bucket, (25.0,), (1.0,)) == (2, cr.Zero())
    assert cr.rules_for(bucket).non_differentiable == "returns an index"
    assert cr.grad(lambda x: x * bucket(x))(25.0) == 2.0


def test_what_has_rules_is_not_declared_without_derivative_nor_is_anything_beside_it() -> None:
    f, _ = unary((1.0,))

    def g(x): ...

    with pytest.raises(cr.RegistrationError, match="has rules, so it is differentiable") as refused:
        cr.non_differentiable(g, f, why="a test")
    assert "primal_rrule" in str(refused.value) and "next: opt_out" in str(refused.value)
    assert cr.rules_for(g).non_differentiable is None


DECLARATIONS: list[Any] = [cr.non_differentiable, cr.reverse_only, cr.forward_only]


@pytest.mark.parametrize("declare", DECLARATIONS)
def test_a_declaration_gives_its_reason(declare: Any) -> None:
    with pytest.raises(cr.RegistrationError, match="without a reason"):
        declare(lambda x: x, why="")


@pytest.mark.parametrize(("declare", "mode"), [(cr.reverse_only, "reverse"), (cr.forward_only, "forward")])
def test_a_lone_mode_is_declared_with_its_reason(declare: Any, mode: str) -> None:
    def f(x): ...

    declare(f, why="the history is not kept")
    assert cr.rules_for(f).only == {mode: "the history is not kept"}
    assert f"{mode} only: the history is not kept" in str(cr.rules_for(f))


def test_the_report_tells_every_rule_with_its_types_and_its_place() -> None:
    def f(x, axis=None):
        return x

    @cr.rrule(f)
    def f_rrule(x: cr.Array, *, axis=None): ...

    @cr.frule(f)
    def f_frule(tangents, x: np.ndarray | float): ...

    @cr.rrule(f)
    def f_text_rrule(x: str): ...

    cr.opt_out(f, bytes)
    shown = str(cr.rules_for(f)).splitlines()
    file = __file__.removeprefix("/")
    for line, start in zip(
        shown[1:],
        (
            "reverse  f_rrule(Array)",
            "reverse  f_text_rrule(str)",
            "forward  f_frule(np.ndarray | float)",
        ),
        strict=False,
    ):
        assert line.strip().startswith(start)
        assert f"{file}:" in line
    assert shown[-1].strip() == "opt-out  an opt-out(bytes)"


def test_the_report_follows_every_spelling_of_a_callable() -> None:
    assert cr.rules_for(np.ones(3).sum).name == "ndarray.sum"
    assert cr.rules_for(np.ones(3).sum).reverse == cr.rules_for(np.ndarray.sum).reverse != ()

    class Model:
        def __call__(self, x): ...

    @cr.rrule(Model.__call__)
    def model_rrule(self: Model, x: float): ...

    assert "model_rrule(Model, float)" in str(cr.rules_for(Model()))
    assert str(cr.rules_for(lambda x: x)).endswith("no rules")
