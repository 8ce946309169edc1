"""The catalogue: derivative rules, grouped by the library they differentiate (python, numpy, scipy).

Importing it loads no rule. It announces which module to import when a library, or a part of SciPy, is first
looked up.
"""

if __name__ != "chainrules.rules":
    raise ImportError("rules is a part of chainrules: import chainrules.rules")

from ..core.loading import announce

_PYTHON = (
    "builtins",
    "operator",
    "_operator",
    "math",
    "cmath",
    "functools",
    "_functools",
    "itertools",
    "statistics",
    "datetime",
    "collections",
    "_collections",
    "heapq",
    "_heapq",
    "copy",
)

for _library in (*_PYTHON, "chainrules"):
    announce(_library, "chainrules.rules.python")
announce("numpy", "chainrules.rules.numpy")
announce("dask", "chainrules.rules.dask")
announce("chainrules", "chainrules.rules.chainrules")

_SCIPY = (  # a part a line
    "differentiate",
    "fft",
    "integrate",
    "interpolate",
    "ndimage",
    "optimize",
    "signal",
    "special",
    "linalg",
    "sparse",
    "stats",
    "spatial",
    "cluster",
)

for _part in _SCIPY:
    announce(f"scipy.{_part}", f"chainrules.rules.scipy.{_part}")
announce("scipy.sparse", "chainrules.rules.scipy.csgraph")
