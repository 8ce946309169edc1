"""The rules for `scipy.optimize`, a module for each kind of problem; importing this registers them all.

No solver is differentiated through: its solution is, by the condition that it satisfies
(`chainrules.implicit`).
"""

from . import entrywise as entrywise
from . import fits as fits
from . import global_minima as global_minima
from . import legacy as legacy
from . import limits as limits
from . import minima as minima
from . import nondifferentiable as nondifferentiable
from . import programs as programs
from . import roots as roots
from . import rosenbrock as rosenbrock
from . import scalar_minima as scalar_minima
from . import scalar_roots as scalar_roots
