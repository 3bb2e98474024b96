"""The selection suite: what a model chooses, scored against decisions that people have reviewed."""
