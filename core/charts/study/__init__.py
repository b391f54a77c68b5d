"""What the pictures of a study look like: marks, colours, the answer in words, and the page for browsers.

Numbers come from `core.study`; whoever draws them is above: the window and the script of the page.
"""
