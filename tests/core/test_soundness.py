"""What debug mode looks for: numbers that are not finite, and tangents of another shape or precision."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from chainrules import Composite, Thunk, Zero
from chainrules.core.soundness import coarsest, form_of, is_finite, misfit


@pytest.mark.parametrize("held", [lambda x: x, lambda x: (1.0, [x]), lambda x: Composite[tuple](x, Zero())])
def test_numbers_are_found_where_they_stand(held) -> None:
    assert is_finite(held(np.ones(2)))
    assert not is_finite(held(np.array([1.0, np.nan])))
    assert not is_finite({"a": held(np.inf)})


def test_a_lazy_tangent_is_left_alone() -> None:
    def forced() -> float:
        raise AssertionError("nobody asked for it")

    assert is_finite(Thunk(forced))
    assert not is_finite(csr_array(np.array([[0.0, np.inf]])))


def test_the_coarsest_number_counts() -> None:
    assert coarsest((np.ones(2, np.float32), 1.0)) == np.finfo(np.float32).eps
    assert coarsest("no number") == 0.0


def test_the_form_of_a_tangent() -> None:
    assert form_of(3) == ((), np.dtype(float))
    assert form_of(np.ones((2, 3), np.int8)) == ((2, 3), np.dtype(float))
    assert form_of(True) is None
    assert form_of(np.array(["a"])) is None


def test_a_misfit_is_told_in_words() -> None:
    form, eps = form_of(np.ones(2)), float(np.finfo(float).eps)
    assert misfit(np.ones(2), form, eps, strict=True) == ""
    assert "less precise" in misfit(np.ones(2, np.float32), form, eps, strict=False)
    assert misfit(np.ones(2, np.float32), form, float(np.finfo(np.float32).eps), strict=False) == ""
    assert "shape (2,)" in misfit(np.ones(3), form, eps, strict=True)
    assert misfit(np.ones(2, int), form, eps, strict=False) != ""
