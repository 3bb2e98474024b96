"""The story of one call. Start at `pipeline.py`; each other file is one stage."""
