"""The rules for NumPy, a module for each kind of function; importing this registers them all."""

from . import arithmetic as arithmetic
from . import casts as casts
from . import complex as complex
from . import creation as creation
from . import diagonals as diagonals
from . import einsum as einsum
from . import exponential as exponential
from . import indexing as indexing
from . import joining as joining
from . import linalg as linalg
from . import methods as methods
from . import nesting as nesting
from . import nondifferentiable as nondifferentiable
from . import products as products
from . import ranges as ranges
from . import rearranging as rearranging
from . import reductions as reductions
from . import rounding as rounding
from . import running as running
from . import selecting as selecting
from . import shapes as shapes
from . import splitting as splitting
from . import spread as spread
from . import tensors as tensors
from . import trigonometric as trigonometric
