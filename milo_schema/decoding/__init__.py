"""From an annotation to what reads its JSON: one loader per annotation, prepared once."""
