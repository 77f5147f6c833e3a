"""The Unified Robot Description Format: its model, text to model, model to text."""
