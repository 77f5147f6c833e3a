"""One command over very many descriptions: sources, isolated work, results as tables."""
