"""What people and programs see: the command line, reports, the terminal play."""
