"""The rules for `scipy.sparse`, a module for each kind of function; importing this registers them all."""

from . import arithmetic as arithmetic
from . import attributes as attributes
from . import changing as changing
from . import construction as construction
from . import eigenpairs as eigenpairs
from . import elementwise as elementwise
from . import exponential as exponential
from . import extremes as extremes
from . import factored as factored
from . import formats as formats
from . import general_eigenpairs as general_eigenpairs
from . import iterations as iterations
from . import joining as joining
from . import krylov_functions as krylov_functions
from . import least_squares as least_squares
from . import mixed as mixed
from . import operators as operators
from . import products as products
from . import rearranging as rearranging
from . import reductions as reductions
from . import solving as solving
