"""All of this needs PyTensor, which warns of what it runs without a BLAS, or in numba's object mode."""

from typing import Any

import pytest

pytest.importorskip("pytensor", reason="PyTensor is not installed: chainrules[pytensor]")


def pytest_collection_modifyitems(items: list[Any]) -> None:
    quiet = pytest.mark.filterwarnings(
        "ignore:Numba will use object mode:UserWarning",
        "ignore:PyTensor could not link to a BLAS:UserWarning",
    )
    for item in items:
        if "tests/engines/pytensor/" in str(item.path):
            item.add_marker(quiet)
