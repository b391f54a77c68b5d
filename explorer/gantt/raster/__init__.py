"""The rows of tasks as pixels: the compiled kernel, its numpy twin, the picture kept between frames, colours.

Coverage is exact: a thousand tasks in one pixel mix as they should.
Nothing here knows text, marks or widgets.
"""
