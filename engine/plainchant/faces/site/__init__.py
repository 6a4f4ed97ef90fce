"""The rules-reference site: pages in Markdown out of the tree, the verdicts and the count of printed lines."""
