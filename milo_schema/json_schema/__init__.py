"""JSON Schema as data: keywords, values, validation. It knows nothing about Python types."""
