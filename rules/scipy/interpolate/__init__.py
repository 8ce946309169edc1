"""The rules for `scipy.interpolate`, a module for each kind of curve or surface; importing registers all."""

from . import bsplines as bsplines
from . import cubic as cubic
from . import fitting as fitting
from . import objects as objects
from . import piecewise as piecewise
