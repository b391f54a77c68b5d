"""The pictures of the manual: stories perform what a page describes, and each step has a picture.

`story` says what a story is, `stage` what a user can do in it, `marks` draws the numbers of a page,
`stories` has all of them, and `python -m docs.from_code.pictures` draws them into docs/pictures.
"""
