"""The rules for Python itself: operators, builtins, containers, iteration and `math`.

Arithmetic, elementary functions, casts and rounding are shared with NumPy and stand in rules/numpy.
"""

from .. import spans as spans
from ..numpy import arithmetic as arithmetic
from ..numpy import casts as casts
from ..numpy import complex as complex
from ..numpy import exponential as exponential
from ..numpy import rounding as rounding
from ..numpy import trigonometric as trigonometric
from . import attributes as attributes
from . import builtins as builtins
from . import changing as changing
from . import choosing as choosing
from . import cmath as cmath
from . import copying as copying
from . import exact as exact
from . import functional as functional
from . import iteration as iteration
from . import keys as keys
from . import mappings as mappings
from . import math as math
from . import nondifferentiable as nondifferentiable
from . import operators as operators
from . import ordered as ordered
from . import rearranging as rearranging
from . import reporting as reporting
from . import sets as sets
from . import slices as slices
from . import statistics as statistics
from . import subscripts as subscripts
