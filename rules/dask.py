"""The rules for Dask's arrays: those of NumPy that need only array operations, run by Dask's scheduler."""

from __future__ import annotations

import dask.array as da

from .arrays import array_rules

array_rules(da.Array, da)
