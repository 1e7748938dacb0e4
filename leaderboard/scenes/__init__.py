"""Scenes of simple flat figures: what happens in them as data, and the frames that show it.

Nothing here knows of Django or of the site: a script in, frames and a video file out.
"""
