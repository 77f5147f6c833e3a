"""XML text in with lines, XML text out, numbers, and where URIs lead."""
