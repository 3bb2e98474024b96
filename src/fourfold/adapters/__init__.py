"""What implements the ports: the clock, sealing and the stores. Each adapter alone imports its driver."""
