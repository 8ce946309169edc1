"""Rearranged and repeated entries."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_rule

CASES = [
    case(np.flip, normal(2, 3)),
    case(np.flip, normal(2, 3), axis=(0,)),
    case(np.fliplr, normal(2, 3)),
    case(np.flipud, normal(3)),
    case(np.roll, normal(2, 3), 1),
    case(np.roll, normal(2, 3), (1, 2), axis=(0, 1)),
    case(np.roll, normal(2, 3), -2, axis=1),
    case(np.rot90, normal(2, 3)),
    case(np.rot90, normal(2, 3, 4), 3, axes=(1, 2)),
    case(np.tile, normal(2, 3), 2, why="fewer repetitions than axes"),
    case(np.tile, normal(2, 3), (3, 2)),
    case(np.tile, normal(3), (2, 1, 2), why="more repetitions than axes"),
    case(np.tile, 2.0, 3),
    case(np.tile, normal(3), 0, why="no copy"),
    case(np.repeat, normal(2, 3), 2),
    case(np.repeat, normal(2, 3), 2, axis=1),
    case(np.repeat, normal(2, 3), [0, 1, 3], axis=-1, why="one is left out"),
    case(np.repeat, complex_normal(3), 2),
    case(np.repeat, 2.0, 3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)
