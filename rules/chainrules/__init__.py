"""Rules for the parts of chainrules that pullbacks and generated programs call, so that these nest."""

from . import composites as composites
from . import multiples as multiples
from . import ravel as ravel
from . import slots as slots
from . import tangents as tangents
