"""The rules for `numpy.linalg`, a module for each kind of problem."""

from . import array_api as array_api
from . import chains as chains
from . import determinants as determinants
from . import factorizations as factorizations
from . import hermitian as hermitian
from . import least_squares as least_squares
from . import norms as norms
from . import orthogonal as orthogonal
from . import powers as powers
from . import singular_values as singular_values
from . import solving as solving
from . import spectra as spectra
from . import tensor_systems as tensor_systems
