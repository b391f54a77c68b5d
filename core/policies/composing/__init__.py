"""How the hooks of a policy become one kernel for the engine: templates, selection of jobs.

The engine calls the kernel through a typed pointer.
There is no policy by name here.
"""
