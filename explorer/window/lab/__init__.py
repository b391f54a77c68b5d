"""Policies of one's own: editor, trace, profile and checks."""
