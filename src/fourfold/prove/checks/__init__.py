"""One module for each check, which holds it as `CHECK`; `prove.registry` finds it."""
