"""The second refusal of a model's query: a process, a connection and a schema of its own.

`runner` is the port and starts the process; `process` is what runs in it; `views` builds what the query can name,
`guard` decides what it may do, `rows` reads its result; `job` is what the two processes say to each other.
"""
