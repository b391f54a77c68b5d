"""Policies: which job gets a free slot."""
