"""The charts of all scenarios, on one time axis."""
