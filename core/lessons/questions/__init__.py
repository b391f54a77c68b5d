"""The types of questions of steps: one class each, with all that is particular to it.

Documents, checks, the window, worksheets and the command line go through `LessonQuestion` and the table in
`question_types`; none of them names a type.
"""
