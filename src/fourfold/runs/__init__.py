"""Questions to the run records, and what keeps secrets out of them."""
