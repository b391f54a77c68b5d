"""The main window: its areas, actions, menus, messages and settings; it joins the other folders.

Places and connects.
Nothing here computes or draws.
"""
