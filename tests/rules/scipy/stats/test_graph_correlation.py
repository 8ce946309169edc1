"""The multiscale graph correlation."""

import pytest
from scipy import stats
from scipy.spatial.distance import cdist
from tests.rules.cases import case as case
from tests.rules.cases import normal

import chainrules as cr
from chainrules import NoRuleError
from chainrules.testing import check_grads, exempt

CASES: list = []
EXEMPT = [
    exempt(f, why="a field that is a step, and is refused: the other fields are checked below")
    for f in (stats.multiscale_graphcorr,)
]
X, POINTS = normal(12), normal(12, 2, seed=1)
Y = X**2 + 0.4 * normal(12, seed=2)


def found(x, y, **how):
    return stats.multiscale_graphcorr(x, y, reps=1, random_state=1, **how)


@pytest.mark.filterwarnings("ignore:The number of replications:RuntimeWarning")
@pytest.mark.parametrize(
    "program",
    [
        lambda x, y: found(x, y).statistic,
        lambda x, y: found(x, y[:8] + 1.0, is_twosamp=True)[0],
        lambda x, y: found(
            cdist(x[:, None], x[:, None]), cdist(y[:, None], y[:, None]), compute_distance=None
        )[0],
        lambda x, y: found(x, POINTS * y[:, None], compute_distance=lambda u: cdist(u, u) ** 2)[0],
    ],
)
def test_the_statistic(program):
    check_grads(program, X, Y, order=1)


@pytest.mark.filterwarnings("ignore:The number of replications:RuntimeWarning")
def test_a_share_of_permutations_is_a_step():
    with pytest.raises(NoRuleError, match="'pvalue' has no derivative here"):
        cr.grad(lambda x: found(x, Y).pvalue)(X)
