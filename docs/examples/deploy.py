"""The example of the README, with a parameter that a framework passes."""

from typing import Annotated

from milo_schema import Description, Injected, MinLen


class Context:
    """The framework passes this to a command, so the schema leaves it out."""

    def log(self, message: str, *, level: int) -> None:
        """Tell the user."""


def deploy(
    environment: Annotated[str, MinLen(1), Description("Target environment")],
    service: Annotated[str, MinLen(1)],
    version: str = "latest",
    ctx: Annotated[Context | None, Injected] = None,
) -> dict[str, str]:
    """Deploy a service.

    Args:
        service: Service name.
        version: Version or image tag.
    """
    if ctx:
        ctx.log(f"Deploying {service}", level=1)
    return {"environment": environment, "service": service, "version": version}
