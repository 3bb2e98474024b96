"""One module a page: what it asks the store, and the template that it fills."""
