"""The built-in engine: a function runs as it is written, with a site in the place of each operation.

What a run does is in `following`, beside this folder. The folders here stand in order; each imports those
before it, none after it.

- `syntax`: trees of the user's code, and small questions about them;
- `reading`: from a function to its source, and what that tells of the calls in it;
- `analysis`: what a function changes and captures, and who else may see it.

`engine` is the engine; `reruns` lets a function run more than once; `explain`, `show` and `verify` are what a
user sees.
"""

from .engine import SourceEngine as SourceEngine
from .engine import engine as engine
from .explain import explain as explain
from .reading.sourceless import NoSourceWarning as NoSourceWarning
from .show import derivative_source as derivative_source
from .verify import verify as verify
