"""Simulations beside the window: requests, workers, the cache and the first start."""
