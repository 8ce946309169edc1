"""QR and RQ factors of every shape and mode."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

SHAPES = ((3, 3), (4, 2), (2, 4))
BOTH = (normal, complex_normal)
CASES = [
    *(
        case(f, numbers(*shape), mode="economic")
        for f in (linalg.qr, linalg.rq)
        for shape in SHAPES
        for numbers in BOTH
    ),
    *(case(f, normal(*shape), mode="r") for f in (linalg.qr, linalg.rq) for shape in SHAPES),
    case(linalg.qr, normal(3, 3)),
    case(linalg.rq, normal(3, 2)),
    case(linalg.qr, normal(2, 3, 3), mode="economic"),
    case(linalg.rq, normal(2, 2, 3), mode="economic"),
    *(case(linalg.qr, numbers(4, 3), mode="economic", pivoting=True) for numbers in BOTH),
    case(linalg.qr, normal(3, 3), mode="r", pivoting=True),
    case(linalg.qr_multiply, normal(4, 2), normal(3, 4)),
    case(linalg.qr_multiply, normal(4, 2), normal(2, 3), mode="left"),
    case(linalg.qr_multiply, normal(4, 2), normal(4)),
    case(linalg.qr_multiply, normal(3, 3), normal(3), mode="left", pivoting=True),
    case(linalg.qr_multiply, complex_normal(3, 3), complex_normal(2, 3), conjugate=True),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a: linalg.rq(a, mode="economic"), normal(2, 3))


def test_columns_that_are_any_basis_are_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="any basis"):
        cr.grad(lambda a: np.sum(linalg.qr(a)[0]))(normal(3, 2))
    check_grads(lambda a: linalg.qr(a)[0][:, :2], normal(3, 2), order=1, modes=("rev",))


def test_the_raw_form_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="raw"):
        cr.grad(lambda a: np.sum(linalg.qr(a, mode="raw")[1]))(normal(3, 2))
