"""The catalogue: derivative rules, grouped by the library they differentiate (python, numpy, scipy)."""

if __name__ != "chainrules.rules":
    raise ImportError("rules is a part of chainrules: import chainrules.rules")
