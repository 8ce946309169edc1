"""Rules for SciPy's signal processing that no case can show, each with the reason."""

from scipy.signal import CZT, ZoomFFT, place_poles

from chainrules.testing import exempt

_KEPT = (
    "keeps tables that SciPy makes of its points; programs that make it and call it are held to differences"
)
EXEMPT = [
    *(exempt(P, why=_KEPT) for P in (CZT, ZoomFFT)),
    exempt(place_poles, why="its result holds more than has a derivative; test_placement has its gains"),
]
