"""Objects that are called and change themselves: layers in lists, tuples and fields, made or given."""

import abc
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr

X = np.array([0.7, -0.4, 1.3])


class Base(abc.ABC):
    @abc.abstractmethod
    def __call__(self, x: Any) -> Any:
        """The layer's value."""


class Layer(Base):
    def __init__(self, w: float) -> None:
        self.w, self.calls = w, 0

    def __call__(self, x: Any) -> Any:
        self.calls += 1
        self.y = np.tanh(self.w * x)
        return self.y


class Stack:
    def __init__(self, *layers: Any) -> None:
        self.layers = layers

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x) * 1.5
        return x + self.layers[0].y


class Holder:
    def __init__(self, model: Any) -> None:
        self.model = model

    def total_of_squares(self, x: Any) -> Any:
        self.last = np.sum(self.model(x) ** 2)
        return self.last


def fresh() -> dict[str, Any]:
    return {
        "layer": Layer(0.8),
        "stack": Stack(Layer(0.8), Layer(1.2)),
        "holder": Holder(Stack(Layer(0.5), Layer(0.9))),
        "rows": [Layer(0.7), Layer(1.1)],
    }


def of_a_layer(x: Any, o: Any) -> Any:
    layer = o["layer"]
    return np.sum(layer(x)) + np.sum(layer.y**2)


def of_a_stack(x: Any, o: Any) -> Any:
    stack = o["stack"]
    return np.sum(stack(x)) + np.sum(stack.layers[0].y * x)


def of_its_method(x: Any, o: Any) -> Any:
    return np.sum(o["stack"].forward(x) ** 2)


def of_a_field(x: Any, o: Any) -> Any:
    return o["holder"].total_of_squares(x) + np.sum(o["holder"].model.layers[1].y)


def of_a_list(x: Any, o: Any) -> Any:
    for layer in o["rows"]:
        x = layer(x)
    return np.sum(x) + np.sum(o["rows"][0].y ** 3)


def squared(x: Any) -> Any:
    return x * x * 3.0


def of_several(x: Any, o: Any) -> Any:
    y = x
    for f in (squared, o["layer"], np.tanh, lambda u: u * x):
        y = f(y) + y
    return np.sum(y) * np.sum(o["layer"].y)


def of_a_field_held_twice(x: Any, o: Any) -> Any:
    holder, layer = o["holder"], o["layer"]
    holder.also = layer
    y = holder.also(x)
    return np.sum(y * o["layer"].y) + np.sum(holder.also.y * x)


class Residual:
    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __call__(self, x: Any) -> Any:
        return x + self.inner(x)


def of_fields_in_fields(x: Any, o: Any) -> Any:
    y = Residual(Residual(o["layer"]))(x)
    return np.sum(y * o["layer"].y) + np.sum(Residual(np.tanh)(x) * y)


FUNCTIONS = [
    of_several,
    of_a_field_held_twice,
    of_fields_in_fields,
    of_a_layer,
    of_a_stack,
    of_its_method,
    of_a_field,
    of_a_list,
]


def slopes(f: Any) -> Any:
    return [(f(X + e, fresh()) - f(X - e, fresh())) / 2e-6 for e in 1e-6 * np.eye(3)]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_given(f):
    mine, plain = fresh(), fresh()
    f(X, plain)
    np.testing.assert_allclose(cr.grad(f)(X, mine), slopes(f), rtol=1e-6)
    assert mine["layer"].calls == plain["layer"].calls
    assert [v.calls for v in mine["stack"].layers] == [v.calls for v in plain["stack"].layers]
    directions = [cr.jvp(lambda x: f(x, fresh()), (X,), (e,))[1] for e in np.eye(3)]
    np.testing.assert_allclose(directions, slopes(f), rtol=1e-6)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_made_inside(f):
    np.testing.assert_allclose(cr.grad(lambda x: f(x, fresh()))(X), slopes(f), rtol=1e-6)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_second_derivatives(f):
    hessian = cr.hessian(lambda x: f(x, fresh()))
    gradient = cr.grad(lambda x: f(x, fresh()))
    curvature = [(gradient(X + e) - gradient(X - e)) / 2e-5 for e in 1e-5 * np.eye(3)]
    np.testing.assert_allclose(hessian(X), curvature, rtol=1e-5, atol=1e-8)


OUTSIDE = fresh()
STACK, LAYER = OUTSIDE["stack"], OUTSIDE["layer"]


def of_the_module(x: Any) -> Any:
    return np.sum(STACK(x)) + np.sum(STACK.layers[0].y * x) + np.sum(LAYER(x) * LAYER.y)


def test_of_the_module():
    numeric = [(of_the_module(X + e) - of_the_module(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    calls = LAYER.calls
    for k in range(1, 6):
        np.testing.assert_allclose(cr.grad(of_the_module)(X), numeric, rtol=1e-6)
        assert LAYER.calls == calls + k
        assert [v.calls for v in STACK.layers] == [calls + k] * 2


def test_a_gradient_of_a_gradient_beside_them():
    def f(x: Any, layer: Any) -> Any:
        def loss(v: Any) -> Any:
            return np.sum(np.tanh(v) ** 3)

        inner = cr.grad(lambda v: np.sum(cr.grad(loss)(v) ** 2))(x)
        return np.sum(inner * layer(x))

    plain, given = Layer(0.8), Layer(0.8)
    numeric = [(f(X + e, plain) - f(X - e, plain)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(f)(X, given), numeric, rtol=1e-6)
    assert given.calls == 1


class Weighted:
    def __init__(self, w: Any) -> None:
        self.w = w

    def cubes(self, v: Any) -> Any:
        return np.sum(self.w * v**3)


def test_a_method_that_is_differentiated_beside_them():
    weighted, layer = Weighted(X * 2.0), Layer(0.8)

    def f(v: Any) -> Any:
        return np.sum(cr.grad(weighted.cubes)(v) ** 2) * np.sum(layer(v))

    numeric = [(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(f)(X), numeric, rtol=1e-6)


class Naming:
    """A class that has, for a method, the name of a field of others, and changes itself by it."""

    def told(self, x: Any) -> Any:
        self.seen = x
        return x


class Pure:
    def __call__(self, x: Any) -> Any:
        return np.sin(x)


def by_a_field(x: Any, holder: Any) -> Any:
    y = holder.told(x)
    return np.sum(y * y) + np.sum(holder.model.y * x)


@pytest.mark.parametrize("pure", [True, False])
def test_a_field_with_the_name_of_a_method(pure):
    def made() -> Any:
        holder = Holder(Layer(0.8))
        holder.model.y = X * 3.0
        holder.told = Pure() if pure else holder.model  # type: ignore[attr-defined]  # held twice
        return holder

    numeric = np.array(
        [(by_a_field(X + e, made()) - by_a_field(X - e, made())) / 2e-6 for e in 1e-6 * np.eye(3)]
    )
    np.testing.assert_allclose(cr.grad(by_a_field)(X, made()), numeric, rtol=1e-6)
    _, moved = cr.jvp(by_a_field, (X, made()), (X, cr.tangents.ZERO))
    assert moved == pytest.approx(numeric @ X)
    if pure:
        curvature = 2.0 * np.diag(np.cos(2.0 * X))
        np.testing.assert_allclose(cr.hessian(by_a_field)(X, made()), curvature, atol=1e-12)
    else:
        rightly.hessian(by_a_field)(X, made())
