"""The rules for `scipy.stats`: distributions from what they are made of; importing it registers them all."""

from . import betas as betas
from . import bounded as bounded
from . import bunches as bunches
from . import continuous as continuous
from . import counts as counts
from . import descriptive as descriptive
from . import directions as directions
from . import discrete as discrete
from . import extremes as extremes
from . import frozen as frozen
from . import gammas as gammas
from . import gaussian_vectors as gaussian_vectors
from . import heavy as heavy
from . import hyperbolic as hyperbolic
from . import moments as moments
from . import more_statistics as more_statistics
from . import noncentral as noncentral
from . import normals as normals
from . import orthants as orthants
from . import quantiles as quantiles
from . import random_matrices as random_matrices
from . import ranges as ranges
from . import samples as samples
from . import simplex as simplex
from . import tests_of_samples as tests_of_samples
from . import vector_samples as vector_samples
