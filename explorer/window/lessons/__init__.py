"""Lessons, presenting and scheduling by hand."""
