"""`cliprank judges`."""
