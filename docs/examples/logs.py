"""A log for the exceptions that a model must not see, for the other examples."""

import logging

from milo_schema import ToolSchema


def log(tool: ToolSchema, problem: Exception) -> None:
    """Log an exception; the model only learns that there was one."""
    logging.getLogger("shop").error("%s failed", tool.name, exc_info=problem)
