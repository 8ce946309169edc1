"""The rules for `scipy.signal`, a module for each kind of problem; importing this registers them all."""

from . import convolution as convolution
from . import passes as passes
from . import recursion as recursion
from . import responses as responses
from . import states as states
