"""Where a team declares tools, and where the declarations become contracts."""
