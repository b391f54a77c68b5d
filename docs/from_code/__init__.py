"""What the manual takes from the program itself: tables inside its pages, and every picture.

`tables` writes the tables of keys, menus, hooks, files … between two marks of a page; `pictures` performs
what the pages tell in the window, and draws what it shows. Nothing here is part of what is installed.
"""
