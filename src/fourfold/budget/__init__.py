"""What tool definitions cost: tokens as a client sends them, and money at dated prices. Works offline."""
