"""`python -m fourfold.cli`, for where the script is not on the path."""

from fourfold.cli.main import main

main()
