"""Reading and checking the configuration, and handing out the pieces that jobs need."""
