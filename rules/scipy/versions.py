"""Which SciPy this is, where its functions give other values than before."""

from __future__ import annotations

import scipy

SCIPY = tuple(int(part) for part in scipy.__version__.split(".")[:2])
"""Major and minor version."""
