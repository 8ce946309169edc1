"""Grey morphology by the image and by the structure."""

import pytest
from scipy import ndimage
from tests.rules.cases import case, normal

from chainrules.testing import check_rule

N = ndimage
X = normal(4, 5)
S = normal(2, 3, seed=2) * 0.3
CROSS = N.generate_binary_structure(2, 1)
BOTH = [N.grey_erosion, N.grey_dilation]
MADE = [
    N.grey_opening,
    N.grey_closing,
    N.morphological_gradient,
    N.morphological_laplace,
    N.white_tophat,
    N.black_tophat,
]
CASES = [
    *(case(f, X, size=(2, 3), mode="mirror") for f in (*BOTH, *MADE)),
    *(case(f, X, structure=S) for f in (*BOTH, *MADE)),
    *(case(f, X, footprint=CROSS, origin=(1, 0), mode="constant", cval=0.2) for f in BOTH),
    *(case(f, X, size=3, mode=("wrap", "nearest")) for f in BOTH),
    *(case(f, normal(2, 3, 4), size=2, axes=(0, 2)) for f in BOTH),
    *(case(f, X, footprint=CROSS, structure=normal(3, 3, seed=1)) for f in BOTH),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)
