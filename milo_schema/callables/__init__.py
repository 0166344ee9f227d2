"""From a callable or a class to its fields."""
