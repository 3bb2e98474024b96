"""What a review says, for people and for programs: text, JSON, SARIF, Markdown and one HTML page."""
