"""Coverage: which functions of a library are differentiable, and which of those have rules in both modes.

What is differentiable is data for the libraries that the catalogue is for (`numpy.toml`,
`scipy.toml`; `scripts/coverage_data.py` keeps them); of any other module the public callables are
listed as they are. A differentiable function that shall have no rules stands with its reason in
`gaps.toml`.
"""

from .data import gaps as gaps
from .data import kinds as kinds
from .report import Coverage as Coverage
from .report import Row as Row
from .report import coverage as coverage
