"""Other forms of gradients by the texts that give the usual one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines import operators
from chainrules.engines.formed import formed, is_formed


@dataclass
class Layer:
    w: Any
    name: str


def of_array(x):
    return np.sum(np.sin(x) * x)


def of_dictionary(p):
    return p["w"] * p["b"] ** 2


def of_layers(layers):
    y = np.ones(2)
    for layer in layers:
        y = np.tanh(layer.w @ y)
    return np.sum(y)


def of_two(x, p):
    return np.sum(x) * p["w"]


CASES = [
    (of_array, (np.array([0.3, 2.0]),), 0, "dense"),
    (of_array, (np.array([0.3, 2.0]),), 0, "plain"),
    (of_dictionary, ({"w": 3.0, "b": 2.0, "name": "a"},), 0, "plain"),
    (of_layers, ([Layer(np.eye(2), "a"), Layer(np.ones((2, 2)), "b")],), 0, "plain"),
    (of_two, (np.ones(2), {"w": 2.0, "k": 1}), (1, 0), "plain"),
]


def same(a: Any, b: Any) -> bool:
    """Whether two gradients are alike, in types too."""
    if isinstance(a, dict | list | tuple):
        pairs = zip(a.values(), b.values(), strict=True) if isinstance(a, dict) else zip(a, b, strict=True)
        return type(a) is type(b) and len(a) == len(b) and all(same(v, w) for v, w in pairs)
    if isinstance(a, Layer):
        return type(a) is type(b) and same(a.w, b.w) and same(a.name, b.name)
    return type(a) is type(b) and bool(np.all(a == b))


@pytest.mark.parametrize(("f", "x", "argnums", "form"), CASES)
def test_a_form_is_had_of_the_text(f, x, argnums, form, monkeypatch):
    operator = cr.value_and_grad(f, argnums, form=form)
    value, expected = operator(*x)
    for _ in range(5):
        assert same(operator(*x)[1], expected)

    def ordinary(*args):
        raise AssertionError("the ordinary program")

    monkeypatch.setattr(operators, "reverse_of", ordinary)
    for call in (operator, cr.value_and_grad(f, argnums, form=form)):
        found, gradients = call(*x)
        assert found == value
        assert same(gradients, expected)
    assert same(cr.grad(f, argnums, form=form)(*x), expected)


def test_a_dictionary_that_changes_keeps_its_form():
    def f(p):
        p["y"] = p["x"] * 2.0
        return p["y"] ** 2

    for _ in range(6):
        p = {"x": 3.0}
        assert cr.grad(f, form="plain")(p) == {"x": 24.0}
        assert p == {"x": 3.0, "y": 6.0}


def test_which_forms_follow_from_the_usual_one():
    large = np.broadcast_to(1.0, 1_000_000)
    assert not is_formed((large,), 0, "plain")
    assert not is_formed((large, 1.0), 1, "dense")
    assert is_formed((1.0, [2.0]), -2, "dense")
    assert not is_formed((1.0, [2.0]), (0, 1), "dense")
    assert formed((1.0, {"a": 1.0}), (2.0, cr.Composite[dict]({"a": 3.0})), (0, 1), "plain") == (
        2.0,
        {"a": 3.0},
    )
