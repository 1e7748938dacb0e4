"""Where uploads and videos lie: a folder or an S3 bucket, alike to everybody above.

What goes wrong there is an ``OSError``; what is not there, a ``FileNotFoundError``.
"""
