"""The picture of the rows as pixels: kernel, its numpy twin, palette.

One colour per pixel from exact coverage.
There is no text and no widget here.
"""
