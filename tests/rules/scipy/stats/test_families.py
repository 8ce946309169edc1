"""Every distribution's methods by every parameter: a thin part of what `scripts/distributions.py` checks."""

import numpy as np
import pytest
from scipy import stats
from scripts.distribution_points import SHAPES
from scripts.distributions import PAGE, cells

import chainrules as cr

DEAR = {"genhyperbolic", "geninvgauss", "norminvgauss"}
"""Their distribution functions are quadratures in SciPy; the command checks them."""


@pytest.mark.parametrize("name", sorted(SHAPES.keys() - DEAR))
@pytest.mark.filterwarnings("ignore")
def test_no_derivative_is_wrong(name):
    quantile = 0.2 if len(name) % 2 else 0.93  # the command has every family at these and more
    found = list(cells(getattr(stats, name), (quantile,), most=1))
    assert [cell for cell in found if cell.verdict == "wrong"] == []
    assert any(cell.verdict == "right" for cell in found) or name in ("hypergeom", "randint")


@pytest.mark.parametrize("name", sorted(DEAR))
@pytest.mark.filterwarnings("ignore")
def test_densities_that_are_dear_to_integrate(name):
    found = list(cells(getattr(stats, name), (0.3,), most=1, methods=("pdf", "logpdf")))
    assert [cell for cell in found if cell.verdict != "right"] == []


def test_every_family_is_in_the_table():
    cr.grad(stats.norm.pdf)(0.0)
    from chainrules.rules.scipy.stats.family import DISCRETE, FAMILIES

    assert SHAPES.keys() == FAMILIES.keys() | DISCRETE.keys()
    rows = [
        line.split("`")[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")
    ]
    assert rows == sorted(SHAPES), "run scripts/distributions.py"
    assert all(np.all(np.isfinite(shapes)) for each in SHAPES.values() for shapes in each)
