"""Declared types in our engines, JAX and PyTorch, to second order; bad input changes nothing."""

from dataclasses import dataclass

import numpy as np
import pytest

import chainrules as cr
from chainrules import types as ct


@cr.differentiable_type
@dataclass
class Layer:
    weight: np.ndarray
    bias: np.ndarray
    name: str = cr.no_derivative("layer")
    power: int = cr.no_derivative(3)


@cr.differentiable_type
@dataclass
class Frozen:
    w: float
    scale: float = cr.no_derivative(2.0)


def loss(layer, x):
    return np.sum(np.tanh(x @ layer.weight + layer.bias) ** layer.power)


LAYER = Layer(np.array([[0.1, -0.2], [0.3, 0.4]]), np.array([0.5, -0.1]))
X = np.array([[1.0, 2.0], [0.5, -1.0]])


def curvature(layer, x):
    """The squared norm of the gradient."""
    gradient = cr.grad(loss)(layer, x)
    return np.sum(gradient.weight**2) + np.sum(gradient.bias**2)


@pytest.mark.parametrize("engine", ["source", "tape"])
def test_second_order_in_our_engines(engine):
    def inner(layer, x):
        gradient = cr.grad(loss, engine=engine)(layer, x)
        return np.sum(gradient.weight**2) + np.sum(gradient.bias**2)

    second = cr.grad(inner, engine=engine)(LAYER, X)
    assert type(second) is Layer.TangentVector
    t = Layer.TangentVector(np.array([[1.0, -1.0], [0.5, 0.2]]), np.array([0.3, 0.7]))
    ahead, behind = (curvature(cr.move(LAYER, cr.scale(h, t)), X) for h in (1e-5, -1e-5))
    assert cr.inner(second, t) == pytest.approx((ahead - behind) / 2e-5, rel=1e-6)
    assert cr.jvp(lambda m: inner(m, X), (LAYER,), (t,), engine=engine)[1] == pytest.approx(
        cr.inner(second, t)
    )


@pytest.mark.parametrize("engine", ["source", "tape"])
def test_what_a_marked_field_holds_is_a_constant(engine):
    gradient = cr.grad(lambda f: f.w * f.scale * f.scale, engine=engine)(Frozen(3.0))
    assert gradient == Frozen.TangentVector(w=4.0)


@pytest.mark.parametrize(
    ("form", "kind"), [("canonical", "Layer.TangentVector"), (None, "Layer.TangentVector")]
)
def test_forms(form, kind):
    assert type(cr.grad(loss, form=form)(LAYER, X)).__qualname__ == kind
    for other in ("raw", "dense", "sparse"):
        assert type(cr.grad(loss, form=other)(LAYER, X)) is cr.Composite[Layer]
    assert type(cr.grad(loss, form="plain")(LAYER, X)) is Layer


def test_in_jax():
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        weight, bias, x = (jnp.asarray(a) for a in (LAYER.weight, LAYER.bias, X))

        def ours(weight, bias):
            return cr.to_jax(loss)(Layer(weight, bias), x)

        def theirs(weight, bias):
            return jnp.sum(jnp.tanh(x @ weight + bias) ** 3)

        for f, g in ((ours, theirs),):
            got, want = (jax.grad(h, argnums=(0, 1))(weight, bias) for h in (f, g))
            for a, b in zip(got, want, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-12)
            got, want = (jax.hessian(h)(weight, bias) for h in (f, g))
            np.testing.assert_allclose(got, want, rtol=1e-10)


def test_in_torch():
    torch = pytest.importorskip("torch")
    weight, bias, x = (
        torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in (LAYER.weight, LAYER.bias, X)
    )
    value = cr.to_torch(loss)(Layer(weight, bias), x)
    (first,) = torch.autograd.grad(value, weight, create_graph=True)
    (second,) = torch.autograd.grad((first**2).sum(), weight)
    plain = (torch.tanh(x @ weight + bias) ** 3).sum()
    (first_plain,) = torch.autograd.grad(plain, weight, create_graph=True)
    (second_plain,) = torch.autograd.grad((first_plain**2).sum(), weight)
    np.testing.assert_allclose(first.detach(), first_plain.detach(), rtol=1e-12)
    np.testing.assert_allclose(second, second_plain, rtol=1e-10)


def test_a_rule_that_gives_a_marked_field_a_cotangent_is_named():
    def odd(layer):
        return float(layer.bias[0])

    @cr.rrule(odd)
    def odd_rrule(layer: Layer):
        return odd(layer), lambda y_bar: (cr.Composite[Layer](power=y_bar),)

    with pytest.raises(cr.NotDifferentiableError, match=r"Layer\.power is marked"):
        cr.grad(odd)(LAYER)


def test_a_class_that_cannot_be_declared_is_left_as_it_was():
    class NoFields:
        pass

    @dataclass
    class Names:
        name: str = cr.no_derivative("a")

    for P, why in ((NoFields, "no dataclass"), (Names, "no field that could be"), (ct.DPtr, "a pointer")):
        before = dict(vars(P))
        with pytest.raises(cr.RegistrationError, match=why):
            cr.differentiable_type(P)
        assert dict(vars(P)) == before
