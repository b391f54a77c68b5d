"""What to look for in a schedule, one rule per file; `core.explain.lint` applies them all."""
