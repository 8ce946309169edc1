"""The rules for `scipy.ndimage`, a module for each kind of problem; importing this registers them all."""

from . import correlation as correlation
from . import derivatives as derivatives
from . import distances as distances
from . import edges as edges
from . import functions as functions
from . import measurements as measurements
from . import morphology as morphology
from . import nondifferentiable as nondifferentiable
from . import ranks as ranks
from . import sampling as sampling
from . import smoothing as smoothing
from . import spectra as spectra
from . import splines as splines
from . import warping as warping
