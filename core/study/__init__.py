"""Studies: many simulations at once, where they run, and their results as one table.

A study is a document; its cells are numbered, and each is a pure function of its number. Nothing that draws
belongs here: what a picture shows is plain data.
"""
