"""`cliprank check`."""
