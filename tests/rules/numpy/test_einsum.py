"""einsum with every kind of subscripts."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

TABLE: list[tuple[Any, ...]] = [
    ("i,i->", (3,), (3,)),
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ba", (2, 3)),
    ("ij->", (2, 3)),
    ("ij->j", (2, 3)),
    ("ii", (3, 3)),
    ("ii->i", (3, 3)),
    ("iij->j", (3, 3, 2)),
    ("iji->ij", (3, 2, 3)),
    ("iii->i", (2, 2, 2)),
    ("ij,kl->ik", (2, 3), (4, 2)),
    ("i,j,k->kij", (2,), (3,), (4,)),
    ("ij,ij,ij->i", (2, 3), (2, 3), (2, 3)),
    ("...ij,...jk->...ik", (5, 2, 3), (3, 2)),
    ("...ij,...jk", (5, 1, 2, 3), (4, 3, 2)),
    ("i...->...", (3, 2, 2)),
    ("...,...->...", (2, 3), (3,)),
    ("...i->...", (4, 3)),
    ("i...j,j", (2, 4, 3), (3,)),
    ("ij,ij->ij", (1, 3), (2, 3)),
    ("i,i->", (3,), (1,)),
    ("ii,i->i", (3, 3), (3,)),
    (" i j , j -> i ", (2, 3), (3,)),
    (",i->i", (), (3,)),
    ("->", ()),
]


LISTS: list[tuple[Any, ...]] = [
    (normal(2, 3), [0, 1], normal(3, 4, seed=1), [1, 2], [2, 0]),
    (normal(2, 3), [0, 1], complex_normal(3, 4, seed=1), [1, 2]),
    (normal(2, 3, 3), [..., 7, 7], [...]),
    (normal(2, 3), [1, 0]),
]
CASES = [
    *(case(np.einsum, *(constant(a) if isinstance(a, list) else a for a in args)) for args in LISTS),
    *(case(np.einsum, s, *(normal(*n, seed=i) for i, n in enumerate(shapes)), why=s) for s, *shapes in TABLE),
    case(np.einsum, "ij,jk,kl->il", complex_normal(2, 3), normal(3, 2), complex_normal(2, 2), optimize=True),
    case(np.einsum, "ij,j->i", normal(2, 3).astype(np.float32), normal(3).astype(np.float32), dtype=float),
    case(np.einsum, "ij,j->i", normal(2, 3), normal(3), dtype=complex, optimize=True, order="F"),
    case(np.einsum, normal(2, 3), constant([0, 1]), normal(3), constant([1]), dtype=complex),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order_of_lists_and_of_many_factors() -> None:
    check_grads(lambda a: np.einsum(a, [0, 1], a**2, [0, 1], [0]), normal(2, 3))
    check_grads(lambda a: np.einsum("ij,jk,kl->il", a, a.T, a, optimize=True), normal(2, 3))


def test_whole_numbers_end_the_derivative() -> None:
    def f(x: Any) -> Any:
        return np.einsum("i,i->", x, x, dtype=int, casting="unsafe") * 1.0

    assert cr.derivative(lambda t: f(t * normal(3)))(4.0) == 0.0
    np.testing.assert_array_equal(cr.grad(lambda x: f(x) + np.sum(x))(4 * normal(3)), np.ones(3))


def test_the_real_part_of_a_complex_operand() -> None:
    with pytest.warns(np.exceptions.ComplexWarning):
        check_rule(np.einsum, "i,i->", complex_normal(3), normal(3), dtype=float, casting="unsafe")
