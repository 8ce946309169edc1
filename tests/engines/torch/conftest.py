"""All of this needs PyTorch; what PyTorch warns of in itself is none of ours."""

from typing import Any

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: chainrules[torch]")


def pytest_collection_modifyitems(items: list[Any]) -> None:
    quiet = pytest.mark.filterwarnings("ignore:.torch.jit.*is deprecated:DeprecationWarning")
    for item in items:
        if "tests/engines/torch/" in str(item.path):
            item.add_marker(quiet)
