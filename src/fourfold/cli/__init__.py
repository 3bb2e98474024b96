"""The command line: parse, call one use case, print, exit. Nothing is decided here."""
