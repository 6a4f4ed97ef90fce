"""From the text of a rules file to its tree, and back."""
