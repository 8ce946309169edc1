"""Extensions beyond the edges and their folds: against np.pad, and each the other's transpose."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, normal

from chainrules.rules.scipy.ndimage.edges import MODES, extended, folded
from chainrules.testing import check_rule

WIDTHS = ((2, 1), (0, 4))
X = normal(3, 4)
NAMES: dict[str, Any] = {
    "reflect": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "constant": "constant",
}
CASES = [
    *(case(extended, X, widths=WIDTHS, modes=(mode, mode), cval=0.5) for mode in MODES),
    *(case(folded, normal(6, 8), widths=WIDTHS, modes=(mode, mode)) for mode in MODES),
    case(
        extended,
        X,
        widths=((9, 8), (1, 1)),
        modes=("reflect", "mirror"),
        cval=0.0,
        why="wider than the array",
    ),
    case(extended, normal(1), widths=((2, 2),), modes=("mirror",), cval=0.0, why="one entry"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("mode", NAMES)
def test_values_are_those_of_pad(mode):
    expected = np.pad(X, WIDTHS, mode=NAMES[mode])
    np.testing.assert_array_equal(extended(X, widths=WIDTHS, modes=(mode, mode)), expected)
