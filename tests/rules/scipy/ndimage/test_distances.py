"""The Euclidean distance transform by its sampling."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.testing import check_rule

IMAGE = held(np.array([[0, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 1]]))
EDT = ndimage.distance_transform_edt
CASES = [
    case(EDT, IMAGE, np.array([0.7, 1.3])),
    case(EDT, IMAGE, 1.1),
    case(EDT, IMAGE, np.array([0.7, 1.3]), return_indices=True),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_image_itself_has_no_derivative():
    with pytest.warns(cr.ZeroDerivativeWarning):
        got = cr.grad(lambda x: np.sum(EDT(x > 0)))(np.array([[0.0, 1.0], [1.0, 1.0]]))
    np.testing.assert_array_equal(got, np.zeros((2, 2)))


def test_an_array_to_write_into_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="distances"):
        cr.grad(lambda s: np.sum(EDT(IMAGE.primal, s, distances=np.zeros((3, 4)))))(1.1)
