"""The document and its undo: what is edited, how, and what is selected and visible.

One method per intention, one undo step per edit.
No widget and no result belongs here.
"""
