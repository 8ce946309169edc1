"""The rules for `scipy.signal`, a module for each kind of problem; importing this registers them all."""

from . import conversions as conversions
from . import convolution as convolution
from . import designs as designs
from . import passes as passes
from . import recursion as recursion
from . import responses as responses
from . import sections as sections
from . import states as states
