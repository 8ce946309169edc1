"""Rules for SciPy's optimisers that no case can show, each with the reason."""

from scipy import optimize

from chainrules.core import implicit
from chainrules.rules.scipy import results
from chainrules.rules.scipy.optimize import fits
from chainrules.rules.scipy.optimize.within import minimum_within
from chainrules.testing import exempt

RESULTS = (
    optimize.root_scalar, optimize.root, optimize.minimize, optimize.minimize_scalar, optimize.least_squares,
    optimize.lsq_linear, optimize.linprog, optimize.isotonic_regression, optimize.differential_evolution,
    optimize.elementwise.find_root, optimize.elementwise.find_minimum,
    optimize.dual_annealing, optimize.shgo, optimize.direct, optimize.basinhopping, optimize.fmin_l_bfgs_b,
)  # fmt: skip
EXEMPT = [
    *(exempt(f, why="its result holds what has no derivative; test_problems has programs") for f in RESULTS),
    *(
        exempt(f, why="a part of the rules for results; test_problems has programs")
        for f in (results.with_entries, results.undifferentiated, optimize.OptimizeResult.__getattr__)
    ),
    *(
        exempt(f, why="makes an object; test_problems has programs")
        for f in (optimize.Bounds, optimize.LinearConstraint, optimize.NonlinearConstraint)
    ),
    exempt(fits.found_covariance, why="has another function's derivative; test_fits checks it"),
    exempt(
        implicit.root, why="is the identity without its derivative; tests/core/test_implicit.py checks it"
    ),
    exempt(
        minimum_within,
        why="is the identity without its derivative; tests/core/test_bounds.py checks it",
    ),
    *(
        exempt(f, why="a search without slopes ends too coarsely for differences; test_problems has programs")
        for f in (optimize.brute, optimize.brent, optimize.golden, optimize.fmin_tnc, optimize.fmin_cobyla)
    ),
]
