"""The sum that may write in place: `accumulate(acc, t)`.

It is `add(acc, t)` and may reuse acc for the result, so only the result counts. It does so when acc
is a writable float or complex array, t has its shape, and the sum has its dtype: adding float64 to
float32 or complex to real gives a new array, as `add` does. Indexed and sparse tangents cost the
entries they touch, and an `InplaceableThunk` adds itself (it decides about shapes and dtypes too).
Call it on an array that you made; for collecting an adjoint there is `gather` in buffers.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .addition import add
from .indexed import IndexedTangent
from .sparse import is_sparse, scatter
from .thunks import InplaceableThunk, Lazy, unthunk

watcher: Callable[[InplaceableThunk, Any, Any], None] | None = None
"""What looks at a thunk, the accumulator, and what its `add_into` returned, while somebody debugs."""


def accumulate(acc: Any, t: Any) -> Any:
    """The sum acc + t, written into acc where that is possible; use the result, not acc.

    Shapes:  acc and t are like one primal.
    Raises:  as `add`.
    Example: >>> acc = np.ones(3)
             >>> accumulate(acc, IndexedTangent((3,), acc.dtype, 0, 5.0)) is acc, acc
             (True, array([6., 1., 1.]))
    """
    if type(acc) is not np.ndarray or acc.dtype.kind not in "fc" or not acc.flags.writeable:
        return add(acc, t)
    if type(t) is np.ndarray:
        if t.shape == acc.shape and (t.dtype == acc.dtype or np.can_cast(t.dtype, acc.dtype)):
            return np.add(acc, t, out=acc)
    elif isinstance(t, InplaceableThunk):
        total = t.add_into(acc)
        if watcher is not None:
            watcher(t, acc, total)
        return total
    elif isinstance(t, Lazy):
        return accumulate(acc, unthunk(t))
    elif isinstance(t, IndexedTangent):
        if np.can_cast(t.dtype, acc.dtype):
            return t.add_into(acc)
    elif is_sparse(t) and np.can_cast(t.dtype, acc.dtype):
        return scatter(t, acc)
    return add(acc, t)
