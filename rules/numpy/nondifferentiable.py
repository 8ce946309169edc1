"""NumPy functions without a derivative, grouped by the reason.

Random generators are here only where their parameters are sizes: `normal(loc, scale)` depends on
its parameters and is refused on an active path. So are functions that write into their arguments
or to files, and conversions to text, which have no entry at all.
"""

from __future__ import annotations

import numpy as np

from ...core import non_differentiable

non_differentiable(
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    *(np.logical_and, np.logical_or, np.logical_xor, np.logical_not),
    *(np.isfinite, np.isinf, np.isnan, np.isnat, np.isneginf, np.isposinf, np.signbit),
    *(np.iscomplex, np.isreal, np.isin, np.isclose),
    *(np.all, np.any, np.allclose, np.array_equal, np.array_equiv, np.ndarray.all, np.ndarray.any),
    why="returns truth values",
)
non_differentiable(
    *(np.argmax, np.argmin, np.argsort, np.argpartition, np.argwhere, np.nanargmax, np.nanargmin),
    *(np.ndarray.argmax, np.ndarray.argmin, np.ndarray.argsort, np.ndarray.argpartition),
    *(np.nonzero, np.flatnonzero, np.ndarray.nonzero, np.searchsorted, np.ndarray.searchsorted),
    *(np.digitize, np.lexsort, np.count_nonzero, np.unravel_index, np.ravel_multi_index, np.indices, np.ix_),
    *(np.diag_indices, np.diag_indices_from, np.tril_indices, np.tril_indices_from, np.triu_indices),
    *(np.triu_indices_from, np.mask_indices, np.ndindex, np.linalg.matrix_rank),
    why="returns indices or counts",
)
non_differentiable(
    *(np.shape, np.ndim, np.size, np.broadcast_shapes, np.result_type, np.promote_types, np.can_cast),
    *(np.min_scalar_type, np.common_type, np.mintypecode, np.typename, np.dtype, np.finfo, np.iinfo),
    *(np.iscomplexobj, np.isrealobj, np.isscalar, np.isfortran, np.issubdtype, np.isdtype, np.iterable),
    *(np.may_share_memory, np.shares_memory, np.einsum_path),
    why="depends on shapes and types, not on values",
)
non_differentiable(
    *(np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.bitwise_not, np.bitwise_count),
    *(np.left_shift, np.right_shift, np.packbits, np.unpackbits, np.gcd, np.lcm),
    why="defined for integers only",
)
non_differentiable(
    *(np.zeros, np.ones, np.empty, np.eye, np.identity, np.tri),
    *(np.bartlett, np.blackman, np.hamming, np.hanning),
    why="its arguments are sizes",
)
non_differentiable(
    np.random.default_rng,
    *(np.random.Generator.random, np.random.Generator.integers, np.random.Generator.standard_normal),
    *(np.random.Generator.standard_exponential, np.random.RandomState.rand, np.random.RandomState.randn),
    *(np.random.RandomState.randint, np.random.RandomState.random_sample, np.random.RandomState.random),
    *(np.random.RandomState.standard_normal, np.random.RandomState.seed),
    why="random numbers that depend on no parameter",
)
non_differentiable(np.busday_count, np.busday_offset, np.is_busday, why="computes with days of the calendar")
non_differentiable(
    *(np.errstate, np.seterr, np.geterr, np.set_printoptions, np.get_printoptions, np.printoptions),
    why="changes or reads settings",
)
