"""A real Spark runs applications on several numbers of slots, and predictions are held against it.

    python -m benchmarks.truth      (or: make truth, which installs Spark and Java first)

`applications` draws what is run, `spark` runs it, `judged` predicts and compares; Application.scala is the
application itself.
"""
