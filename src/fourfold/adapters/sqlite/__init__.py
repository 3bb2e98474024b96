"""The embedded store: SQLite with one writer thread, group commit and a few readers.

`store` opens it. `units` is the port; `writer`, `group` and `lock` are the write path, `readers` the read path;
`session`, `guard`, `unit` and `transaction` are what one transaction consists of and what the memory store shares;
`migrate` makes the framework's own tables. `sandbox` runs a model's queries.
"""
