"""The rules for `scipy.sparse.csgraph`; importing registers all."""

from . import conversions as conversions
from . import laplacians as laplacians
from . import nondifferentiable as nondifferentiable
from . import paths as paths
from . import trees as trees
