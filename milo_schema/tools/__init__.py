"""Tool definitions, and the forms in which servers and providers take them."""
