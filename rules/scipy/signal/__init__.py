"""The rules for `scipy.signal`, a module for each kind of problem; importing this registers them all."""

from . import analytic as analytic
from . import conversions as conversions
from . import convolution as convolution
from . import designs as designs
from . import finite as finite
from . import passes as passes
from . import recursion as recursion
from . import resampling as resampling
from . import resonators as resonators
from . import responses as responses
from . import sections as sections
from . import segments as segments
from . import short_time as short_time
from . import smoothing as smoothing
from . import spectra as spectra
from . import states as states
from . import unevenly as unevenly
from . import windows as windows
