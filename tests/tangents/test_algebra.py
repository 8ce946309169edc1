"""The whole addition table as laws: every form of tangent with every other, in both orders.

Sums are compared with their numbers written out, and exactly: what the strategies draw are short binary
fractions, whose sums do not round.
"""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from chainrules.tangents import (
    NO_TANGENT,
    ZERO,
    Thunk,
    accumulate,
    add,
    gather,
    inner,
    is_zero,
    materialize,
    project_to,
    ravel,
    same_values,
    scale,
    unthunk,
)
from chainrules.testing import strategies as cst
from chainrules.testing.strategies.primals import Pair, Point, Slotted

VECTOR, MATRIX = np.arange(4.0), np.arange(6.0).reshape(2, 3)
PRIMALS: dict[str, Any] = {
    "float": 1.0,
    "0-d": np.array(1.0),
    "1-d": VECTOR,
    "n-d": np.ones((2, 1, 3), np.float32),
    "complex": MATRIX + 1j,
    "integers": np.arange(3),
    "empty": np.empty((0, 2)),
    "sparse": sp.csr_array(np.tri(3)),
    "tuple": (VECTOR, 1.0, "name"),
    "list": [VECTOR, MATRIX],
    "dict": {"a": VECTOR, "b": (1.0,)},
    "NamedTuple": Pair(VECTOR, 1.0),
    "dataclass": Point(MATRIX, [VECTOR]),
    "slots": Slotted({"a": VECTOR}),
}


def primals_with(*kinds: str) -> list[Any]:
    """The primals that have tangents of all these forms."""
    return [x for x in PRIMALS.values() if set(kinds) <= set(cst.kinds_of(x))]


def same(a: Any, b: Any, x: Any) -> bool:
    """Whether two tangents of x are the same, however they are represented."""
    return same_values(materialize(a, like=x), materialize(b, like=x))


PAIRS = [(a, b) for a in cst.KINDS for b in cst.KINDS if primals_with(a, b)]


def test_only_forms_of_different_primals_do_not_meet() -> None:
    apart = {"item": {"indexed", "sparse", "in_place"}, "plain": {"indexed", "sparse", "in_place"}}
    apart["missing"] = apart["item"]
    assert {(a, b) for a in cst.KINDS for b in cst.KINDS} - {*PAIRS} == {
        pair for a, others in apart.items() for b in others for pair in ((a, b), (b, a))
    }


@pytest.mark.parametrize(("left", "right"), PAIRS)
@settings(max_examples=6)
@given(st.data())
def test_the_laws_of_addition(left: str, right: str, data: st.DataObject) -> None:
    x = data.draw(st.sampled_from(primals_with(left, right)))
    a, b = data.draw(cst.tangents(x, (left,))), data.draw(cst.tangents(x, (right,)))
    c = data.draw(cst.tangents(x))
    total = add(a, b)
    assert same(total, add(b, a), x)
    assert same(add(total, c), add(a, add(b, c)), x)
    # materialize is a homomorphism
    assert same(total, add(materialize(a, like=x), materialize(b, like=x)), x)
    # and so is the projection onto the space of x, where all of them lie already
    assert same(project_to(x)(total), total, x)
    check_sums_that_may_write(x, a, b, total)


def check_sums_that_may_write(x: Any, a: Any, b: Any, expected: Any) -> None:
    """`gather` writes nothing that it was handed, `accumulate` what it was given to write, where it can."""
    before = [np.array(t) if type(t) is np.ndarray else None for t in (a, b)]
    assert same(unthunk(gather(gather(ZERO, a), b)), expected, x)
    for t, copy in zip((a, b), before, strict=True):
        assert copy is None or np.array_equal(t, copy)
    start = materialize(a, like=x)
    owned = start.copy() if isinstance(start, np.ndarray) else start
    total = accumulate(owned, b)
    assert same(total, expected, x)
    assert total is owned or type(owned) is not np.ndarray


@pytest.mark.parametrize("kind", cst.KINDS)
@settings(max_examples=15)
@given(st.data())
def test_zeros_are_identities_and_force_nothing(kind: str, data: st.DataObject) -> None:
    t = data.draw(cst.tangents(data.draw(st.sampled_from(primals_with(kind))), (kind,)))
    for zero in (ZERO, NO_TANGENT):
        expected = t if not is_zero(t) or zero is ZERO else zero
        assert add(t, zero) is expected
        assert add(zero, t) is expected
    untouched = Thunk(lambda: pytest.fail("forced"))
    assert add(ZERO, untouched) is add(untouched, NO_TANGENT) is untouched


@pytest.mark.parametrize("kind", cst.KINDS)
@settings(max_examples=15)
@given(st.data())
def test_vector_space(kind: str, data: st.DataObject) -> None:
    x = data.draw(st.sampled_from(primals_with(kind)))
    a, b = data.draw(cst.tangents(x, (kind,))), data.draw(cst.tangents(x))
    assert same(scale(2.0, add(a, b)), add(scale(2.0, a), scale(2.0, b)), x)
    assert same(add(a, scale(-1.0, a)), ZERO, x)
    c = data.draw(cst.tangents(x))
    assert inner(a, b) == inner(b, a)
    assert inner(add(a, b), c) == inner(a, c) + inner(b, c)
    assert inner(scale(2.0, a), b) == 2.0 * inner(a, b)
    u, v = (ravel(materialize(t, like=x))[0] for t in (a, b))
    np.testing.assert_array_equal(ravel(materialize(add(a, b), like=x))[0], u + v)
    assert inner(a, b) == u @ v


@settings(max_examples=100)
@given(cst.with_tangents(cst.primals(), 3))
def test_any_structure(drawn: Any) -> None:
    x, a, b, c = drawn
    assert same(add(a, b), add(b, a), x)
    assert same(add(add(a, b), c), add(a, add(b, c)), x)
    assert same(add(a, b), add(materialize(a, like=x), materialize(b, like=x)), x)
    assert same(project_to(x)(add(a, b)), add(project_to(x)(a), project_to(x)(b)), x)
