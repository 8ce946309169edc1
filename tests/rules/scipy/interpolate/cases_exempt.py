"""Rules for SciPy's interpolation that no case can show, each with the reason."""

from scipy.interpolate import (
    BarycentricInterpolator,
    CloughTocher2DInterpolator,
    FloaterHormannInterpolator,
    InterpolatedUnivariateSpline,
    KroghInterpolator,
    LinearNDInterpolator,
    LSQBivariateSpline,
    LSQSphereBivariateSpline,
    LSQUnivariateSpline,
    NearestNDInterpolator,
    Rbf,
    RBFInterpolator,
    RectBivariateSpline,
    RectSphereBivariateSpline,
    UnivariateSpline,
    insert,
    interp1d,
)
from scipy.interpolate._fitpack2 import _BivariateSplineBase as Surface

from chainrules.core.callables import attribute
from chainrules.rules.scipy.interpolate.collocation import through
from chainrules.rules.scipy.interpolate.objects import DELEGATES, holding
from chainrules.rules.written import as_found
from chainrules.testing import exempt

_KEPT = (
    "keeps arrays that SciPy makes of its fields; programs that make it and call it are held to differences"
)
_OBJECTS = (
    BarycentricInterpolator,
    CloughTocher2DInterpolator,
    FloaterHormannInterpolator,
    KroghInterpolator,
    LSQBivariateSpline,
    LSQSphereBivariateSpline,
    LinearNDInterpolator,
    NearestNDInterpolator,
    Rbf,
    RBFInterpolator,
    RectBivariateSpline,
    RectSphereBivariateSpline,
    interp1d,
    UnivariateSpline,
    InterpolatedUnivariateSpline,
    LSQUnivariateSpline,
    UnivariateSpline.derivative,
    UnivariateSpline.antiderivative,
    Surface.partial_derivative,
)
EXEMPT = [
    exempt(as_found, why="takes its value from SciPy; test_smooth_curves has the fits that are made so"),
    *(exempt(attribute(name), why="refuses its derivative") for name in ("c", "t", "wi")),
    *(exempt(P, why=_KEPT) for P in _OBJECTS),
    exempt(insert, why="SciPy leaves numbers unset behind what it finds; test_inserted has the others"),
    exempt(holding, why="takes its value from SciPy; test_piecewise has the objects that are made so"),
    exempt(through, why="takes its value from SciPy; test_fitting has the splines that are made so"),
]
if DELEGATES:
    EXEMPT += [
        exempt(attribute(name), why="shows what has no derivative") for name in ("axis", "extrapolate", "k")
    ]
