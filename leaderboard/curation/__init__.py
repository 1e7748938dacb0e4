"""What curators do: bring data in, publish releases, correct them, choose judges, rescore.

Each change is one keyword-only function that writes its audit entry in the same transaction. Pages,
API and commands call these and nothing else.
"""
