"""The regression suite that contracts generate: checks that run against a live server, over the wire."""
