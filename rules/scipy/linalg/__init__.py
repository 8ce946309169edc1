"""The rules for `scipy.linalg`, a module for each kind of problem; importing this registers them all."""

from . import banded as banded
from . import cholesky as cholesky
from . import determinants as determinants
from . import eigenpairs as eigenpairs
from . import equations as equations
from . import exponentials as exponentials
from . import factored as factored
from . import functions as functions
from . import hermitian as hermitian
from . import least_squares as least_squares
from . import nondifferentiable as nondifferentiable
from . import norms as norms
from . import polar as polar
from . import roots as roots
from . import singular_values as singular_values
from . import sketches as sketches
from . import solving as solving
from . import spectra as spectra
from . import structured as structured
from . import toeplitz as toeplitz
from . import trigonometric as trigonometric
