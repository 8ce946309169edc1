"""The rules for `scipy.integrate`, a module for each kind of integral; importing this registers them all."""

from . import boundary_values as boundary_values
from . import boxes as boxes
from . import elementwise as elementwise
from . import flow as flow
from . import initial_values as initial_values
from . import nested as nested
from . import quadrature as quadrature
from . import samples as samples
from . import sums as sums
from . import triple as triple
