"""Servers that keep the logs of clusters: what they list, and their logs as files that `core.logs` reads.

One kind of server is one file that ends in a `ServerKind` (see `core.servers.server`) and one line in
`core.servers.attach.KINDS`. Connections, their limits and their errors are in `http_client.py` alone. Nothing
here reads a log.
"""
