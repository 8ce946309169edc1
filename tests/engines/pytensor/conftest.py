"""All of this needs PyTensor, whose numba mode says of every operation from outside how it runs it."""

from typing import Any

import pytest

pytest.importorskip("pytensor", reason="PyTensor is not installed: chainrules[pytensor]")


def pytest_collection_modifyitems(items: list[Any]) -> None:
    quiet = pytest.mark.filterwarnings("ignore:Numba will use object mode:UserWarning")
    for item in items:
        if "tests/engines/pytensor/" in str(item.path):
            item.add_marker(quiet)
