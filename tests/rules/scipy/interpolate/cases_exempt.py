"""Rules for SciPy's interpolation that no case can show, each with the reason."""

from chainrules.rules.scipy.interpolate.objects import holding
from chainrules.testing import exempt

EXEMPT = [exempt(holding, why="takes its value from SciPy; test_piecewise has the objects that are made so")]
