"""One rule in every engine, in a process of its own: its rule and JAX's precision are for it alone."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import numpy as np
import examples.everywhere as e
from chainrules.testing import check_rule

check_rule(e.voigt, e.X, 0.8, 0.3)
found = e.main()
for name, w in found.items():
    np.testing.assert_allclose(w, found["numpy"], rtol=1e-9, err_msg=name)
np.testing.assert_allclose(found["numpy"], [0.8, 0.3], atol=0.05)
"""


def test_every_engine_takes_the_same_steps() -> None:
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
