"""Gradients as Mappings and Sequences, and in the caller's own containers."""

import json
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import chainrules as cr


@dataclass(frozen=True)
class Layer:
    w: float
    name: str
    wide: bool = True


class Pair(NamedTuple):
    a: float
    b: float


def test_the_gradient_of_a_dict_is_a_mapping() -> None:
    g = cr.grad(lambda p: p["w"] ** 2 + p["b"])({"w": 3.0, "b": 1.0})
    assert isinstance(g, Mapping)
    assert (g.get("w"), g.get("absent", 7.0)) == (6.0, 7.0)
    assert dict(**g) == {"w": 6.0, "b": 1.0} == dict(g.items())


def test_the_gradient_of_a_list_is_a_sequence() -> None:
    g = cr.grad(lambda p: p[0] * p[1])([3.0, 4.0])
    assert isinstance(g, Sequence)
    assert not isinstance(g, Mapping)
    assert (g.index(3.0), g.count(4.0), list(reversed(g)), 4.0 in g) == (1, 1, [3.0, 4.0], True)


def test_an_object_s_gradient_is_neither() -> None:
    g = cr.grad(lambda p: p.w)(Layer(1.0, "a"))
    assert not isinstance(g, Mapping | Sequence)


@pytest.mark.parametrize("engine", [None, "tape"])
def test_plain_containers_are_those_of_the_argument(engine: str | None) -> None:
    def f(p):
        return p["layers"][0].w * p["pair"].a + p["queue"][1] * p["rest"][0] + np.sum(p["x"])

    x = OrderedDict(
        layers=[Layer(2.0, "first")],
        pair=Pair(3.0, 1.0),
        queue=deque([1.0, 5.0], 4),
        rest=(7.0,),
        x=np.ones(2),
    )
    g = cr.grad(f, form="plain", engine=engine)(x)
    assert type(g) is OrderedDict
    assert list(g) == list(x)
    assert g["layers"] == [Layer(3.0, None, None)]  # type: ignore[arg-type]  # None: no derivative
    assert g["pair"] == Pair(2.0, 0.0)
    assert g["queue"] == deque([0.0, 7.0])
    assert g["queue"].maxlen == 4
    assert g["rest"] == (5.0,)
    np.testing.assert_array_equal(g["x"], [1.0, 1.0])


def test_plain_containers_of_several_arguments() -> None:
    g = cr.grad(lambda p, q: p["a"] * q[0], argnums=(0, 1), form="plain")({"a": 2.0}, [3.0])
    assert g == ({"a": 3.0}, [2.0])
    assert json.dumps(g) == '[{"a": 3.0}, [2.0]]'
    value, gradient = cr.value_and_grad(lambda p: p["a"] ** 2, form="plain")({"a": 2.0})
    assert (value, gradient) == (4.0, {"a": 4.0})


def test_plain_gradients_inside_of_another_derivative() -> None:
    def steepness(x):
        g = cr.grad(lambda p: p["a"] ** 3 * p["b"][0], form="plain")({"a": x, "b": [2.0]})
        return g["a"] + g["b"][0]

    assert cr.grad(steepness)(2.0) == pytest.approx(12 * 2.0 + 3 * 4.0)
    assert cr.derivative(steepness)(2.0) == pytest.approx(12 * 2.0 + 3 * 4.0)


def test_plain_numbers_and_arrays_are_as_ever() -> None:
    assert cr.grad(lambda x: x * x, form="plain")(3.0) == 6.0
    np.testing.assert_array_equal(cr.grad(lambda x: x[0], form="plain")(np.ones(3)), [1.0, 0.0, 0.0])


def test_plain_gradients_are_trees_of_jax() -> None:
    jax = pytest.importorskip("jax")
    g = cr.grad(lambda p: p["a"][0] * p["b"], form="plain")({"a": (2.0, 1.0), "b": 3.0})
    assert jax.tree.leaves(g) == [3.0, 0.0, 2.0]
