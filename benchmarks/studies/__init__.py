"""Tables and figures of the papers, run again: one command each."""
