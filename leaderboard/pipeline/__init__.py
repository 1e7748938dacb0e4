"""Runs: made, scored, ranked. Functions here return what comes next and enqueue nothing."""
