"""The following engine is the default one here, so that derivatives inside functions are its own too."""

from collections.abc import Iterator

import pytest

from chainrules.core.engine import default_engine, set_default_engine
from chainrules.engines.following import engine
from chainrules.engines.specialised.running.entry import Settings


@pytest.fixture(autouse=True)
def following() -> Iterator[None]:
    """Neither the source engine nor a specialised text takes part."""
    before, on = default_engine(), Settings.on
    set_default_engine(engine)
    Settings.on = False
    yield
    set_default_engine(before)
    Settings.on = on
