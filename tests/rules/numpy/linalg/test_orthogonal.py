"""QR factors of every shape and mode."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

SHAPES = [(3, 3), (4, 2), (2, 4), (2, 3, 2), (2, 2, 3), (1, 1)]
CASES = [
    *(case(np.linalg.qr, normal(*shape), mode=mode) for shape in SHAPES for mode in ("reduced", "r")),
    *(case(np.linalg.qr, complex_normal(*shape), mode=mode) for shape in SHAPES for mode in ("reduced", "r")),
    *(case(np.linalg.qr, normal(*shape), mode="complete") for shape in [(3, 3), (2, 4)]),
    case(np.linalg.qr, normal(4, 2).astype(np.float32)),
    case(np.linalg.qr, np.zeros((0, 0))),
    case(np.linalg.qr, np.zeros((2, 0))),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("x", [normal(3, 3), normal(3, 2), normal(2, 3), complex_normal(3, 2)])
def test_second_order(x: Any) -> None:
    check_grads(lambda a: np.linalg.qr(a)[0], x)
    check_grads(lambda a: np.linalg.qr(a, mode="r"), x)


def test_complete_of_a_tall_matrix() -> None:
    check_grads(lambda a: np.linalg.qr(a, mode="complete")[1], normal(4, 2), order=1)
    check_grads(lambda a: np.linalg.qr(a, mode="complete")[0][:, :2], normal(4, 2), order=1, modes=("rev",))
    with pytest.raises(cr.NotDifferentiableError, match="complete"):
        cr.grad(lambda a: np.sum(np.linalg.qr(a, mode="complete")[0]))(normal(4, 2))


def test_dependent_leading_columns_are_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="dependent"):
        cr.grad(lambda a: np.sum(np.linalg.qr(a)[1]))(np.ones((3, 2)))


@pytest.mark.parametrize("mode", ["raw"])
def test_other_modes_are_refused_by_name(mode: Any) -> None:
    with pytest.raises(cr.UnsupportedArgument, match="mode"):
        cr.grad(lambda a: np.sum(np.linalg.qr(a, mode=mode)[0]))(np.ones((3, 2)))
