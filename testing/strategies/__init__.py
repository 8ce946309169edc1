"""Hypothesis strategies for those who test rules: arrays off singular points, primals, and their tangents.

    arrays(dtype, shape, off=("integer", "tie"))     numbers that stay away from where f has no derivative
    naturals(), structures(), primals()              values of every type that has tangents
    tangents(x, kinds), with_tangents(primals(), 3)  tangents of a value, in every form that they take

All numbers are short binary fractions between −4 and 4, so that sums of a few of them are exact also in
half precision, and what a failing test shows can be read. Hypothesis is imported here and nowhere else.
"""

try:
    import hypothesis as _hypothesis  # noqa: F401  # only to say it by name
except ImportError as error:
    raise ImportError(
        "chainrules.testing.strategies needs hypothesis, which is not installed\n"
        "  next: pip install 'chainrules[test]', or pip install hypothesis"
    ) from error

from .arrays import arrays as arrays
from .arrays import numbers as numbers
from .primals import naturals as naturals
from .primals import primals as primals
from .primals import structures as structures
from .tangents import KINDS as KINDS
from .tangents import kinds_of as kinds_of
from .tangents import tangents as tangents
from .tangents import with_tangents as with_tangents
