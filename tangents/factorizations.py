"""Tangents of NumPy's factorisations by a name that they do not store: V of an `SVDResult`.

NumPy stores Vh, the conjugate transpose of V. A rule may say what it knows of V, and it adds to what
another says of Vh: `Composite[SVDResult](V=...) + Composite[SVDResult](Vh=...)`. A `QRResult` stores both its
factors; one that is kept as LAPACK returns it is in examples/compact_qr.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .registered import convert_fields

SVDResult = type(np.linalg.svd(np.eye(1)))


@convert_fields(SVDResult, "V")
def svd_fields(svd: Any, V_bar: Any) -> dict[str, Any]:
    """V = Vhᴴ, hence V̄h = V̄ᴴ.

    Example: >>> svd_fields(None, np.array([[1.0, 2.0], [3.0, 4.0]]))["Vh"]
             array([[1., 3.],
                    [2., 4.]])
    """
    return {"Vh": np.conj(np.swapaxes(V_bar, -1, -2))}
