"""The web console: what failed, for whom, what it cost, who approved it. `fourfold console` serves it."""
