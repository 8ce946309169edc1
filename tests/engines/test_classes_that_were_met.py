"""Methods of a class that was met say nothing about the lists and arrays of rules and of installed code."""

import ast
import subprocess
import sys

import numpy as np

PROGRAM = """
import numpy as np
import chainrules as cr

class Log:
    def __init__(self, w):
        self.w, self.kept = w, []

    def append(self, x):
        self.kept.append(x)
        x[0] = 2.0

    def astype(self, kind):
        self.w[0] = kind
        return self

    def take(self, x):
        x *= 2.0

def met(w, log):
    log.w = w
    return np.sum(w)

def rows(x):
    return np.r_[x[:2], 0.5, x[2]] @ np.c_[x, x**2].reshape(-1)[:4]

def pieces(x):
    return np.sum(np.piecewise(x, [x < 0.0, x >= 0.0], [lambda v: v**2, lambda v: v**3]))

x = np.array([1.3, 0.7, -0.4])
cr.grad(met)(x, Log(x))
print([cr.hessian(rows)(x).tolist(), cr.hessian(pieces)(x).tolist()])
"""


def test_rules_and_installed_code_do_not_mind_them(tmp_path):
    program = tmp_path / "met.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    rows, pieces = ast.literal_eval(done.stdout)
    # rows is x0 x0 + x1 x0**2 + x1 / 2 + x2 x1**2
    x0, x1, x2 = 1.3, 0.7, -0.4
    np.testing.assert_allclose(
        rows, [[2 + 2 * x1, 2 * x0, 0.0], [2 * x0, 2 * x2, 2 * x1], [0.0, 2 * x1, 0.0]]
    )
    np.testing.assert_allclose(pieces, np.diag([6 * x0, 6 * x1, 2.0]))
