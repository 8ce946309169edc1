"""Random sketches, which are linear in the matrix."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, constant, normal

from chainrules.rules.scipy.linalg.sketches import drawn, sketched
from chainrules.testing import check_rule

CASES = [
    case(linalg.clarkson_woodruff_transform, normal(5, 2), sketch_size=3, rng=4),
    case(linalg.clarkson_woodruff_transform, complex_normal(2, 5, 2), sketch_size=3, rng=0),
    case(sketched, constant(drawn(3, 4, 1)), normal(4, 2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_the_numbers_are_drawn_once() -> None:
    import chainrules as cr

    one, two = np.random.default_rng(3), np.random.default_rng(3)
    linalg.clarkson_woodruff_transform(normal(5, 2), 3, one)
    cr.grad(lambda a: np.sum(linalg.clarkson_woodruff_transform(a, 3, two)))(normal(5, 2))
    assert one.random() == two.random()
