"""The search for the best schedule: what is wanted and allowed, how near it is, what each lever is worth.

Shows what a search finds while it runs, and makes scenarios of plans.
Nothing here searches.
"""
