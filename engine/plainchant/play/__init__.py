"""Plays of a book: machine, session, saved games, traces."""
