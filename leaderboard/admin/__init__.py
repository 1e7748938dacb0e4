"""The raw admin, for emergencies."""
