"""The framework's own stores in SQL that SQLite and PostgreSQL both understand, as functions over a `Unit`."""
