"""Methods of NumPy's scalars."""

import numpy as np
import pytest
from tests.rules.cases import case, constant

import chainrules as cr
from chainrules.testing import check_rule

X, TWO = np.float64(0.6), constant(2)
PLAIN = ("sum", "prod", "mean", "max", "min", "copy", "squeeze", "transpose", "std", "var", "tolist")
LINES = ("ravel", "flatten", "cumsum", "cumprod")
CASES = [
    *(case(getattr(np.generic, name), X) for name in (*PLAIN, *LINES)),
    case(np.generic.sum, np.complex128(1 + 2j)),
    case(np.generic.mean, np.float32(0.6)),
    case(np.generic.clip, X, 0.1, 0.4),
    case(np.generic.clip, X, 0.1, 0.9),
    case(np.generic.round, np.float64(3.27), decimals=1),
    case(np.generic.reshape, X, constant(1), constant(1)),
    case(np.generic.repeat, X, TWO),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_number_or_an_array():
    def f(x):
        return (x[0] * x[1]).sum() * (x * x).sum()

    x = np.array([0.6, -0.2, 0.3])
    np.testing.assert_allclose(cr.grad(f)(x), cr.grad(lambda x: x[0] * x[1] * np.sum(x * x))(x))


def test_sums_and_means_of_small_integers_have_the_precision_of_numpys():
    n = np.int8(3)
    for f in (np.generic.sum, np.generic.prod, np.generic.mean):
        y, _ = cr.vjp(f, n)
        assert type(y) is type(f(n))
