"""What `fourfold select` shows: as text, as JSON (docs/schemas), and as one HTML page."""
