"""Slotscope's window and command line."""
