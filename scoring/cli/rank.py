"""`cliprank rank`."""
