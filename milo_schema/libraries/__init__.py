"""Everything the package knows about one foreign library, in one file each."""
