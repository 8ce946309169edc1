"""Hypothesis for the whole suite: the same examples on every run, and no deadline on a busy machine.

Tracebacks are shown whole, so that a failing test says where.
"""

import os

from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
os.environ.setdefault("CHAINRULES_TRACEBACK", "full")
# JAX compiles each program of a test to run it a few times.
os.environ.setdefault(
    "XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
)
