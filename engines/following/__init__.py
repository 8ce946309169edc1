"""The following engine: a function runs as it is written, each operation seen as it happens.

It is asked for as `engine="following"`, and takes over where the source engine refuses a program. Values are
known by which object they are, so what containers, objects and generators do is Python's own affair.
"""

from .engine import FollowingEngine as FollowingEngine
from .engine import engine as engine
