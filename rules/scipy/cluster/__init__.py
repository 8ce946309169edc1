"""The rules for `scipy.cluster`; importing registers all."""

from . import hierarchy as hierarchy
from . import nondifferentiable as nondifferentiable
from . import vq as vq
