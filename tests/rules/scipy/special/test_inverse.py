"""Inverses by any argument: what the helper refuses; the families check what it makes."""

import numpy as np
import pytest

from chainrules.core import RegistrationError
from chainrules.rules.scipy.special.inverse import inverse_rule


def test_a_function_without_a_scalar_rule_has_no_inverse_rule():
    with pytest.raises(RegistrationError, match="no scalar rule"):
        inverse_rule(np.spacing, np.gcd, 0)
