"""What a rule is: registries, the contract, look-up, errors, and the protocol of an engine."""

if __name__ != "chainrules.core":
    raise ImportError("core is a part of chainrules: import chainrules.core")
