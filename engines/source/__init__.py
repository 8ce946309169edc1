"""The built-in engine: a source transformation.

Its folders stand in the order in which a program travels; each imports those before it, none after it.

- `syntax`: trees of the user's code, small questions about them, the normal form;
- `reading`: from a function to its source, and what that tells of the calls in it;
- `analysis`: what carries a derivative, what a statement may change, who else may see it;
- `locking`: arrays that a pullback reads later cannot be written into meanwhile;
- `values`: objects, fields, partials and generators in a derivative;
- `memory`: copies of what changes later, and refusals of changes that nobody could foresee;
- `rewriting`: forms of Python written out in simpler statements;
- `emitting`: simple statements, and from them the text of a derivative program;
- `calls`: what a call means when the program runs: a rule, a source, a protocol, a refusal;
- `nesting`: the calls of a derivative program, differentiated again.

`engine` joins them; `explain`, `show` and `verify` are what a user sees of them.
"""

from .engine import SourceEngine as SourceEngine
from .engine import engine as engine
from .explain import explain as explain
from .reading.sourceless import NoSourceWarning as NoSourceWarning
from .show import derivative_source as derivative_source
from .verify import verify as verify
