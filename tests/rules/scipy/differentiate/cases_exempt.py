"""Rules for SciPy's differences that no case can show, with the reason."""

from scipy import differentiate

from chainrules.testing import exempt

EXEMPT = [
    exempt(f, why="its result holds what has no derivative; test_differences has programs")
    for f in (differentiate.derivative, differentiate.jacobian, differentiate.hessian)
]
