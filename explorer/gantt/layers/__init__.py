"""What a chart shows, layer by layer: tasks, names, marks, axis; the legend, and what follows the pointer.

A layer paints itself, says what lies under a pixel and names its legend entries (list: `chart_layers.py`).
Nothing here listens to the mouse or changes what is shown.
"""
