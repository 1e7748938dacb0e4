"""Benchmarks brought in from folders: checked whole, stored in one transaction, twice is once."""
