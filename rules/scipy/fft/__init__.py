"""The rules for `scipy.fft`, a module for each kind of transform; importing this registers them all."""

from . import cosine as cosine
from . import fourier as fourier
from . import frequencies as frequencies
from . import hankel as hankel
from . import nondifferentiable as nondifferentiable
from . import shifts as shifts
