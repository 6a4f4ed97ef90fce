"""What the tree means: names, types, the kernel and its one evaluator."""
