"""Statistics of small suites: intervals of rates, paired comparisons, repeated samples, repeated looks."""
