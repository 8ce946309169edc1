"""The doors to engines: what goes through shows its name; one not installed is closed with a message."""

import sys

import numpy as np
import pytest

import chainrules as cr

DOORS = [
    (cr.to_jax, "JAX", "jax"),
    (cr.from_jax, "JAX", "jax"),
    (cr.to_torch, "PyTorch", "torch"),
    (cr.from_torch, "PyTorch", "torch"),
    (cr.to_autograd, "HIPS autograd", "autograd"),
    (cr.to_pytensor, "PyTensor", "pytensor"),
]


@pytest.mark.parametrize(("door", "library", "name"), DOORS)
def test_an_absent_engine_says_how_to_install_it(door, library, name, monkeypatch):
    for module in ("autograd", "jax", "pytensor", "torch"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError) as caught:
        door(np.sin)
    error = caught.value
    assert isinstance(error, cr.ChainRulesError)
    assert error.what == f"{door.__name__} needs {library}, which is not installed"
    assert __file__ in error.where
    assert "built-in engine" in error.closest
    assert error.next == f'pip install "chainrules[{name}]"'
    assert cr.grad(np.sin)(0.0) == 1.0


@pytest.mark.parametrize(("door", "library", "name"), [row for row in DOORS if row[0].__name__[:3] == "to_"])
def test_what_goes_through_shows_its_name(door, library, name):
    pytest.importorskip(name, reason=f"{library} is not installed: chainrules[{name}]")
    assert repr(door(np.sin)) == f"<{door.__name__} of numpy.sin>"
