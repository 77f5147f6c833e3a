"""Runs one command on very many descriptions: sources, worker processes, and tables of results."""
