"""From nodes to finished schemas: the entry points, parameters, and outputs."""
