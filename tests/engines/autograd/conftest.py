"""All of this needs HIPS autograd."""

import pytest

pytest.importorskip("autograd", reason="HIPS autograd is not installed: chainrules[autograd]")
