"""How Sphinx builds the manual: `make docs` writes it to build/manual/index.html."""

project = "Slotscope"
author = "The makers of Slotscope"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Slotscope"
myst_heading_anchors = 3
html_static_path = ["look"]
html_css_files = ["manual.css"]
exclude_patterns = ["from_code"]
nitpicky = True
