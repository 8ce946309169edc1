"""Blocks, diagonals, lists of rows: construction and data in both modes, what is found, what is refused."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_grads, check_rule

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
A = sp.csr_array(D)
BLOCKS = np.arange(1.0, 13.0).reshape(3, 2, 2)
INDICES, POINTERS = np.array([0, 1, 0]), np.array([0, 2, 3])
TABLE, OFFSETS = np.arange(1.0, 13.0).reshape(3, 4), np.array([0, 1, -2])
PLACED = (np.array([1.0, 2.0, 3.0, 4.0]), (np.array([0, 1, 2, 2]), np.array([0, 0, 1, 1])))
BSR, DIA, LIL = (sp.bsr_array, sp.bsr_matrix), (sp.dia_array, sp.dia_matrix), (sp.lil_array, sp.lil_matrix)
MATRICES = (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.bsr_matrix, sp.dia_matrix, sp.lil_matrix)

CASES = [
    *(case(P, D + 1.0, why="dense") for P in (*BSR, *DIA, *LIL)),
    *(case(P, x, why="a number") for P in MATRICES for x in (5.0, 2.0 + 1.0j, np.array(3.0))),
    *(case(P, D[0], why="a vector") for P in MATRICES),
    *(case(P, A, why="another format") for P in (*BSR, *DIA, *LIL)),
    *(case(P, (BLOCKS, INDICES, POINTERS), shape=(4, 4), why="blocks") for P in BSR),
    *(case(P, PLACED, shape=(3, 3), why="a place given twice") for P in BSR),
    *(case(P, (TABLE, OFFSETS), shape=(4, 4)) for P in DIA),
    *(case(P, (TABLE[0], 1), shape=(3, 5), why="one diagonal, a wide array") for P in DIA),
    *(case(getattr, P((BLOCKS, [1, 0, 2], [0, 1, 2, 3]), shape=(6, 6)), "data") for P in BSR),
    case(sp.spdiags, TABLE, diags=OFFSETS, m=4, n=4),
    case(sp.spdiags, TABLE, diags=OFFSETS, m=3, n=4, format="csr"),
    case(sp.find, A),
    case(sp.find, sp.dia_array(D)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (lambda d: np.sum(sp.bsr_array((d, INDICES, POINTERS), shape=(4, 4)).toarray() ** 3), (BLOCKS,)),
    (lambda d: np.sum(sp.dia_array((d, OFFSETS), shape=(4, 4)).toarray() ** 3), (TABLE,)),
    (lambda d: np.sum(sp.lil_array(d).tocsr().data ** 3), (D + 1.0,)),
    (lambda d: np.sum(sp.spdiags(d, OFFSETS, 4, 4).toarray() ** 3), (TABLE,)),
    (lambda d: np.sum(sp.bsr_array((d, INDICES, POINTERS), shape=(4, 4)).data ** 3), (BLOCKS,)),
    (lambda a: np.sum(sp.find(a)[2] ** 3), (A,)),
]


@pytest.mark.parametrize(("f", "args"), PROGRAMS)
def test_programs_to_second_order(f: Any, args: Any) -> None:
    check_grads(f, *args, order=2)


def test_corners_of_a_table_outside_the_array_do_not_move() -> None:
    table_bar = cr.grad(lambda d: sp.dia_array((d, OFFSETS), shape=(4, 4)).sum())(TABLE)
    assert np.array_equal(table_bar, [[1, 1, 1, 1], [0, 1, 1, 1], [1, 1, 0, 0]])


def test_a_zero_within_a_block_moves() -> None:
    blocks = BLOCKS * (BLOCKS != 3.0)
    f = lambda d: (sp.bsr_array((d, INDICES, POINTERS), shape=(4, 4)) @ np.ones(4)).sum()  # noqa: E731
    assert np.array_equal(cr.grad(f)(blocks), np.ones((3, 2, 2)))


def test_what_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="each block stored once"):
        cr.grad(lambda d: sp.bsr_array((d, [0, 0, 0], [0, 2, 3]), shape=(4, 4)).sum())(BLOCKS)
    with pytest.raises(cr.ChainRulesError):
        cr.grad(lambda a: a.data[0][0] ** 2)(sp.lil_array(D))
    with pytest.raises(cr.ChainRulesError):
        cr.grad(lambda a: np.sum(a.data**2))(sp.dia_array((TABLE, OFFSETS), shape=(4, 4)))


ROWS, COLUMNS = np.array([0, 1, 2, 3, 0, 1, 2, 3]), np.array([0, 2, 1, 3, 2, 1, 0, 1])
STORED = {
    "csr": lambda d: (d, COLUMNS, np.array([0, 2, 4, 6, 8])),
    "csc": lambda d: (d, COLUMNS, np.array([0, 2, 4, 6, 8])),
    "coo": lambda d: (d, (ROWS, COLUMNS)),
    "bsr": lambda d: (d.reshape(2, 2, 2), np.array([0, 1]), np.array([0, 1, 2])),
    "dia": lambda d: (d.reshape(2, 4), np.array([0, 1])),
}


@pytest.mark.parametrize("differentiate", [cr.grad, lambda f: lambda x: cr.jvp(f, (x,), (x,))[1]])
@pytest.mark.parametrize("name", sorted(STORED))
def test_numbers_that_change_after_an_array_was_made_of_them(name: str, differentiate: Any) -> None:
    P, parts = getattr(sp, f"{name}_array"), STORED[name]

    def changed(x, copy):
        d = x * 1.0
        a = P(parts(d), shape=(4, 4), copy=copy)
        d *= 3.0
        return np.sum((a @ np.arange(4.0)) ** 2)

    x = np.arange(1.0, 9.0)
    assert changed(x, False) != changed(x, True)
    with pytest.raises(cr.AliasedMutationError, match="shares memory"):
        differentiate(lambda x: changed(x, False))(x)
    if differentiate is cr.grad:
        check_grads(lambda x: changed(x, True), x, order=1)
