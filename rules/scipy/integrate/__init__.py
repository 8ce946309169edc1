"""The rules for `scipy.integrate`, a module for each kind of integral; importing this registers them all."""

from . import quadrature as quadrature
from . import samples as samples
