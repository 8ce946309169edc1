"""The rules for `scipy.spatial`, its distances and rotations; importing registers all."""

from . import alignment as alignment
from . import angles as angles
from . import composition as composition
from . import distance as distance
from . import hulls as hulls
from . import neighbours as neighbours
from . import representations as representations
from . import rigid_transforms as rigid_transforms
from . import rotation_spline as rotation_spline
from . import slerp as slerp
from . import storing as storing
from . import turning as turning
