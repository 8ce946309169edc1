"""Every declaration has its reason and a key that calls reach; nothing with a derivative is declared."""

import numpy as np
import pytest
from tests.rules.cases import rrule_of

from chainrules.core import apply_rrule, loading, registry
from chainrules.core.callables import name_of, normalise
from chainrules.tangents import NoTangent

loading.load_all()
ENTRIES = registry.registered()


@pytest.mark.parametrize("rules", [r for r in ENTRIES if r.non_differentiable], ids=lambda r: name_of(r.f))
def test_a_call_reaches_the_declaration(rules):
    f, args, kwargs = normalise(rules.f, (), {})
    assert f is rules.f
    assert not args
    assert not kwargs


@pytest.mark.parametrize("f", [np.argmax, np.isfinite, np.shape, np.ndarray.argsort, np.linalg.matrix_rank])
def test_no_tangent(f):
    x = np.array([1.0, 3.0, 2.0])
    y, pullback = rrule_of(f, x)
    np.testing.assert_array_equal(y, f(x))
    assert pullback(y) == (NoTangent(),)


def test_a_method_of_a_generator():
    rng = np.random.default_rng(0)
    assert rrule_of(rng.standard_normal, 3)[1](np.ones(3)) == (NoTangent(),)
    assert apply_rrule(rng.triangular, 1.0, 2.0, 3.0) is None
    assert rrule_of(np.random.rand, 3)[1](np.ones(3)) == (NoTangent(),)
