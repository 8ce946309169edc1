"""Who consumes rules: the engines that differentiate whole programs with them."""

if __name__ != "chainrules.engines":
    raise ImportError("engines is a part of chainrules: import chainrules.engines")
