"""The rules for `scipy.linalg`, a module for each kind of problem; importing this registers them all."""

from . import banded as banded
from . import determinants as determinants
from . import equations as equations
from . import factored as factored
from . import least_squares as least_squares
from . import norms as norms
from . import sketches as sketches
from . import solving as solving
from . import structured as structured
from . import toeplitz as toeplitz
