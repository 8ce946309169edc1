"""The rules for `scipy.special`, a module for each family of functions; importing this registers them all."""

from . import carlson as carlson
from . import elementary as elementary
from . import elliptic as elliptic
from . import errors as errors
from . import exponential as exponential
from . import gamma as gamma
from . import incomplete_beta as incomplete_beta
from . import incomplete_gamma as incomplete_gamma
from . import integrals as integrals
from . import jacobi as jacobi
from . import kolmogorov as kolmogorov
from . import logarithmic_integrals as logarithmic_integrals
from . import mathieu as mathieu
from . import normal as normal
from . import orthogonal as orthogonal
from . import parabolic as parabolic
from . import sigmoids as sigmoids
from . import spheroidal as spheroidal
from . import student as student
from . import zeta as zeta
