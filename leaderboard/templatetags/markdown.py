"""Markdown in templates: ``{{ benchmark.rules|markdown }}``."""

from django import template

from leaderboard.markdown import html_of

register = template.Library()
register.filter("markdown", html_of)
