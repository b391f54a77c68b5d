"""Forecasts in the window: when the jobs of a night that is under way will end."""
