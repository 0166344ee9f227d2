"""What an annotation is, on every Python version. It knows nothing about JSON."""
