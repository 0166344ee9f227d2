"""The command line, ``milo-schema``."""
