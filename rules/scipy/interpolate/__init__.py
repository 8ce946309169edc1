"""The rules for `scipy.interpolate`, a module for each kind of curve or surface; importing registers all."""

from . import bsplines as bsplines
from . import cubic as cubic
from . import fitpack as fitpack
from . import fitting as fitting
from . import grids as grids
from . import inserted as inserted
from . import interpolators as interpolators
from . import legacy_radial as legacy_radial
from . import objects as objects
from . import parametric as parametric
from . import piecewise as piecewise
from . import power_forms as power_forms
from . import radial as radial
from . import rational as rational
from . import scattered as scattered
from . import smooth_curves as smooth_curves
from . import spheres as spheres
from . import surfaces as surfaces
from . import tables as tables
from . import tensor_pieces as tensor_pieces
from . import tensor_splines as tensor_splines
from . import triangles as triangles
from . import univariate as univariate
