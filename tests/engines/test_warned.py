"""`ZeroDerivativeWarning`: given where a value cannot depend on an argument, and nowhere else."""

import math
import warnings

import numpy as np
import pytest

import chainrules as cr

X = np.ones(3)


def unused(x, y):
    z = x * x  # noqa: F841  # the slip that the warning is for
    return y


def counted(x):
    s = 0.0
    for _ in range(3):
        if x > 2:
            s += x
    return s


def any_number(*x):
    return x[0]


def in_a_loop(x):
    best = 0.0
    for v in [x, 2 * x]:
        best = v if v > 5 else best
    return best


class Constant:
    def __call__(self, x):
        return 3.0


INDEPENDENT = {
    "constant": lambda: cr.grad(lambda x: math.sqrt(3.0))(1.0),
    "forward": lambda: cr.derivative(lambda x: math.sqrt(3.0))(1.0),
    "with value": lambda: cr.value_and_grad(lambda x: math.sqrt(3.0))(1.0)[1],
    "jacobian": lambda: cr.jacobian(lambda x: np.ones(2))(1.0)[0],
    "integer": lambda: cr.grad(lambda x: float(int(x)) + 2)(1.0),
    "index": lambda: cr.grad(lambda x: 1.0 * np.argmax(x))(X)[0],
    "comparison": lambda: cr.grad(lambda x: 1.0 if x > 0 else 2.0)(1.0),
    "first argument": lambda: cr.grad(unused)(1.0, 2.0),
    "one of two": lambda: cr.grad(unused, argnums=(1, 0))(1.0, 2.0)[1],
    "object": lambda: cr.grad(Constant())(1.0),
    "several arguments": lambda: cr.grad(lambda a, *b: a * 1.0, argnums=2)(1.0, 2.0, 3.0),
}


@pytest.mark.parametrize("name", INDEPENDENT)
def test_a_value_that_cannot_depend_warns_at_the_line_of_the_call(name):
    with pytest.warns(cr.ZeroDerivativeWarning, match=r"argument \d(.|\n)*stop_gradient") as caught:
        assert INDEPENDENT[name]() == 0.0
    assert [w.filename for w in caught] == [__file__]


DEPENDENT = {
    "stop_gradient": lambda: cr.grad(lambda x: cr.stop_gradient(math.sqrt(3.0)))(1.0),
    "stopped": lambda: cr.grad(lambda x: 2.0 * cr.stop_gradient(x))(1.0),
    "branch not taken": lambda: cr.grad(lambda x: x if x > 0 else 0.0)(-1.0),
    "loop": lambda: cr.grad(counted)(1.0),
    "loop over values": lambda: cr.grad(in_a_loop)(1.0),
    "numbers that are zero": lambda: cr.grad(lambda x: 0.0 * x)(1.0),
    "linear": lambda: cr.grad(cr.grad(lambda x: 2 * x))(1.0),
    "hessian": lambda: cr.hessian(np.sum)(X)[0, 0],
    "starred": lambda: cr.grad(any_number, argnums=1)(1.0, 2.0),
    "jacobian": lambda: cr.jacobian(lambda x: x * 0)(X)[0, 0],
    "raw": lambda: cr.vjp(lambda x: 3.0, 1.0)[1](1.0)[0] is not cr.Zero(),
}


@pytest.mark.parametrize("name", DEPENDENT)
def test_other_zeros_do_not_warn(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert DEPENDENT[name]() == 0.0
