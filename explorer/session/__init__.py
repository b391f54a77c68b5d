"""The session of each window: written while people edit, offered back after a kill."""
