"""What the stages need from the outside, as Protocols over the model. Adapters implement them; bootstrap joins them."""
