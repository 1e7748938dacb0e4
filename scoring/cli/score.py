"""`cliprank score`."""
