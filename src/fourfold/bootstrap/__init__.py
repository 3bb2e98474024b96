"""The one place where ports meet adapters: configuration, keys, stores, and the `Service` made of them."""
