"""The ordinary programs are what these tests are about: no text and no other engine takes their place."""

from collections.abc import Iterator

import pytest

from chainrules.engines.specialised.running.entry import Settings


@pytest.fixture(autouse=True)
def ordinary_first() -> Iterator[None]:
    """Second derivatives by the ordinary program, until there were enough calls."""
    before, Settings.early = Settings.early, False
    yield
    Settings.early = before
