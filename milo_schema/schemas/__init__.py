"""From an annotation to a schema."""
