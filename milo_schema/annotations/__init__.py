"""What an annotation is, on every Python version. Knows nothing about JSON."""
