"""From checked statements to the kernel's graph of blocks."""
