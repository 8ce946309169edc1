"""`python -m benchmarks`: every question asked once, in one process and on one thread.

The limits on threads, and the precision of JAX, stand in the environment before any numerical library
is imported.
"""

import os
import sys

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[variable] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.environ["JAX_ENABLE_X64"] = "1"

from benchmarks.run import main  # noqa: E402  the environment above comes first

sys.exit(main(sys.argv[1:]))
