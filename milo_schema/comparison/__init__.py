"""Compare two finished schemas; ``milo_schema.compare`` is the public interface."""
