"""Find the functions and tools that a target names, such as ``package`` or ``module:name``."""
