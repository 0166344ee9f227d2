"""JSON Schema as data: keywords, references, values, validation. Knows nothing about functions."""
