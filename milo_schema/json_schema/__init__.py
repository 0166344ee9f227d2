"""JSON Schema as data: keywords, values, validation. Nothing here knows about Python types."""
