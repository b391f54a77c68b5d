"""The study window: what is varied, how a study is run, and pictures of what came out.

Shows what `core.study` computes, while it comes.
Nothing here simulates.
"""
