"""No specialised text takes part here."""

from collections.abc import Iterator

import pytest

from chainrules.engines.specialised.running.entry import Settings


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Every derivative is that of runs that follow the function."""
    before, Settings.on = Settings.on, False
    yield
    Settings.on = before
