"""The store for tests and trials: SQLite in memory, gone with the process."""
