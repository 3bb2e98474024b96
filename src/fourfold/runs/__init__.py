"""Questions to the run records: which calls are one operation, how often one is retried, what calls cost."""
