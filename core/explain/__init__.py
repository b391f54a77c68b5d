"""Seeing why: what a schedule's times have as their cause, decision by decision; simulates, shows nothing."""
