"""The strategies: what they promise of every draw, that all is drawn, and what is said without Hypothesis."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from chainrules.tangents import (
    IndexedTangent,
    InplaceableThunk,
    ItemTangent,
    Thunk,
    is_sparse,
    materialize,
    project_to,
    zero_tangent,
)
from chainrules.tangents.structure import parts
from chainrules.testing import strategies as cst
from chainrules.testing.strategies.primals import Pair, Point, Slotted


def distances(x: Any, point: Any) -> Any:
    """How far each entry is from 0, from the integers, or from the halves between them."""
    if point == "zero":
        return np.abs(x)
    shifted = x - 0.5 if point == "half" else x
    return np.abs(shifted - np.round(shifted))


@pytest.mark.parametrize("off", ["zero", "integer", "half", "tie", 0.5])
@settings(max_examples=30)
@given(st.data())
def test_numbers_keep_off_singular_points(off: Any, data: st.DataObject) -> None:
    margin = data.draw(st.sampled_from([1 / 16, 1 / 8]))
    x = data.draw(cst.arrays(shape=(2, 3), low=-2.0, high=3.0, off=(off,), margin=margin))
    assert x.shape == (2, 3)
    assert -2.0 <= x.min() <= x.max() <= 3.0
    if off == "tie":
        assert np.min(np.diff(np.sort(x.ravel()))) >= margin
    else:
        away = np.abs(x - off) if isinstance(off, float) else distances(x, off)
        assert away.min() >= margin


@settings(max_examples=30)
@given(st.data())
def test_complex_numbers_do_so_in_both_parts(data: st.DataObject) -> None:
    z = data.draw(cst.arrays("c8", (4,), off=("zero", "integer")))
    assert z.dtype == np.complex64
    assert min(distances(z.real, "integer").min(), distances(z.imag, "integer").min()) >= 1 / 16


@pytest.mark.parametrize(
    "dtype", ["f2", "f4", "f8", "c8", "c16", "i1", "u2", "i8", "?", "m8[s]", "M8[D]", "O"]
)
@settings(max_examples=5)
@given(st.data())
def test_any_dtype_and_shape(dtype: str, data: st.DataObject) -> None:
    assert data.draw(cst.arrays(dtype)).dtype == np.dtype(dtype)
    assert data.draw(cst.arrays(dtype, (0, 2))).shape == (0, 2)
    assert type(data.draw(cst.numbers(np.dtype(dtype)))) is np.dtype(dtype).type or dtype == "O"


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: cst.numbers(low=0.0, high=0.0, off=("zero",)), "no number between"),
        (lambda: cst.numbers(off=("corner",)), "'corner'; named are"),
        (lambda: cst.arrays(shape=(1000,), off=("tie",)), "1000 entries cannot keep"),
        (lambda: cst.arrays("U3", (2,)), "no numbers of dtype"),
        (lambda: cst.tangents(1.0, ("sparse",)), "a float has tangents of the kinds"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw()


FORMS: dict[str, Any] = {
    "thunk": lambda t: type(t) is Thunk,
    "in_place": lambda t: type(t) is InplaceableThunk,
    "indexed": lambda t: type(t) is IndexedTangent,
    "item": lambda t: type(t) is ItemTangent,
    "sparse": is_sparse,
    "plain": lambda t: type(t) in (tuple, list, dict),
}


@pytest.mark.parametrize("kind", cst.KINDS)
@settings(max_examples=15)
@given(st.data())
def test_tangents_are_in_the_space_of_their_primal(kind: str, data: st.DataObject) -> None:
    wanted = [
        np.arange(3.0),
        (1.0, np.ones(2)),
        [1.0, "a"],
        {"a": 1.0},
        Pair(1.0, 2j),
        Point(1, np.float32(2)),
    ]
    x = data.draw(st.sampled_from([x for x in wanted if kind in cst.kinds_of(x)]))
    t = data.draw(cst.tangents(x, (kind,)))
    assert FORMS.get(kind, lambda t: True)(t)
    zero, full = zero_tangent(x), materialize(project_to(x)(t), like=x)
    assert type(full) is type(zero)
    assert getattr(full, "dtype", None) == getattr(zero, "dtype", None)
    assert getattr(full, "shape", None) == getattr(zero, "shape", None)


@pytest.mark.parametrize("P", [tuple, list, dict, Pair, Point, Slotted])
def test_structures_nest_any_in_any(P: type) -> None:
    def nested(x: Any) -> bool:
        inside = parts(x)
        return type(x) is P and P in map(type, inside.values() if isinstance(inside, dict) else inside)

    found: Any = find(cst.structures(cst.numbers()), nested, settings=settings(max_examples=5000))
    assert type(found) is P


@settings(max_examples=50)
@given(cst.with_tangents(cst.primals(), 2))
def test_primals_come_with_tangents(drawn: Any) -> None:
    x, a, b = drawn
    for t in (a, b):
        materialize(t, like=x)


def test_without_hypothesis_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import chainrules.testing.strategies"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: chainrules.testing.strategies needs hypothesis" in ran.stderr
    assert "pip install" in ran.stderr


def test_hypothesis_is_imported_only_when_asked_for() -> None:
    code = "import sys, chainrules.testing; print('hypothesis' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
