"""Accounts and teams: what people do with them, and the rules that every page keeps."""
