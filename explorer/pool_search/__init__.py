"""The search for balanced pools, while it runs and afterwards.

Draws the makespan of every split that was tried.
Nothing here searches.
"""
