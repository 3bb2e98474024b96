"""Sealing with AES-256-GCM: `keys` holds and loads the key ring, `sealer` seals and opens with it."""
