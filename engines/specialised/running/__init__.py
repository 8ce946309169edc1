"""Running: programs of texts, and which of them a call runs."""
