"""The document people edit: evented state, undoable commands and the view state beside it."""
