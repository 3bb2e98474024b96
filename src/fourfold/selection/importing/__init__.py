"""Recorded decisions as cases: one module for each format of a record, and one way from a decision to a case."""
