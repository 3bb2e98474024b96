"""One module for each rule. Its docstring is its page; `review.registry` finds it."""
