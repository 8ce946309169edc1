"""Arguments by name: `argnames=`, however a call gives them."""

import numpy as np
import pytest

import chainrules as cr


def loss(w, x, *, bias=0.0, **rest):
    return np.sum((w * x + bias) ** 2) + sum(v * v for v in rest.values())


W, X = np.array([1.0, 2.0]), np.array([3.0, -1.0])


@pytest.mark.parametrize("engine", ["source", "tape"])
def test_one_name_gives_one_gradient(engine):
    expected = 2 * (W * X + 0.5) * X
    gradient = cr.grad(loss, argnames="w", engine=engine)
    assert np.allclose(gradient(W, X, bias=0.5), expected)
    assert np.allclose(gradient(W, x=X, bias=0.5), expected)
    assert np.allclose(gradient(w=W, x=X, bias=0.5), expected)


@pytest.mark.parametrize("engine", ["source", "tape"])
def test_several_names_give_a_tuple_in_their_order(engine):
    inner = 2 * (W * X + 0.5)
    bias, x = cr.grad(loss, argnames=("bias", "x"), engine=engine)(W, X, bias=0.5)
    assert np.isclose(bias, np.sum(inner))
    assert np.allclose(x, inner * W)


def test_a_keyword_of_the_rest_is_an_argument_too():
    assert cr.grad(loss, argnames="extra")(W, X, extra=3.0) == 6.0


def test_positions_and_names_give_the_same():
    for operator in (cr.grad, cr.value_and_grad, cr.jacobian, cr.jacfwd, cr.jacrev, cr.value_and_jacobian):
        by_name = operator(loss, argnames="x")(W, X)
        by_place = operator(loss, argnums=1)(W, X)
        assert np.allclose(cr.ravel(by_name)[0], cr.ravel(by_place)[0])
    assert np.allclose(cr.hessian(loss, argnames="w")(W, x=X), np.diag(2 * X * X))
    assert np.allclose(cr.elementwise_grad(lambda s, v: s * v**2, argnames="v")(2.0, v=X), 4 * X)


def test_it_is_differentiated_itself():
    def outer(x):
        return np.sum(cr.grad(loss, argnames="w")(W, x=x))

    assert np.allclose(cr.grad(outer)(X), 4 * W * X)
    assert np.allclose(cr.grad(lambda b: cr.grad(loss, argnames="bias")(W, X, bias=b))(0.5), 4.0)


def test_has_aux_and_form_go_with_it():
    value = cr.value_and_grad(lambda p, k: (p["a"] * k, "aux"), argnames="p", has_aux=True, form="plain")
    assert value(k=3.0, p={"a": 2.0}) == ((6.0, "aux"), {"a": 3.0})


def test_names_that_are_not_there_are_refused():
    def plain(w, x=2.0):
        return w * x

    with pytest.raises(cr.UnsupportedArgument, match="has no parameter 'v'") as caught:
        cr.grad(plain, argnames="v")
    assert "'w' or argnames='x'" in caught.value.closest
    with pytest.raises(cr.UnsupportedArgument, match="does not give it"):
        cr.grad(plain, argnames="x")(1.0)
