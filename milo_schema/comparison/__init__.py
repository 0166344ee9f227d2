"""How two finished schemas differ: what ``milo_schema.compare`` is made of."""
