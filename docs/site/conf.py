"""How Sphinx builds the site; `prepare.py` lays its pages out first."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import docstrings

import chainrules

project = "chainrules"
author = copyright = "The chainrules maintainers"
version = release = chainrules.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]

html_theme = "furo"
html_title = f"chainrules {release}"
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}
html_show_sphinx = False

myst_heading_anchors = 4
autodoc_typehints = "none"  # the signature has them
autodoc_member_order = "bysource"
default_role = "code"
python_use_unqualified_type_names = True
nitpicky = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def setup(app: Any) -> None:
    """Read the docstrings of the house."""
    app.connect("autodoc-process-docstring", docstrings.process)
