"""The built-in engine: a source transformation.

A function is read (locate), its active part found (activity), brought into simple statements
(lower, expressions), rewritten as a derivative program (reverse_program, forward_program) and
compiled (programs). When it runs, each call site asks for a rule (sites, resolution).
"""

from .engine import SourceEngine as SourceEngine
from .engine import engine as engine
from .explain import explain as explain
from .show import derivative_source as derivative_source
from .sourceless import NoSourceWarning as NoSourceWarning
from .verify import verify as verify
