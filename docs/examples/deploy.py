"""The example of milo's contract, as that document has it; it needs no package but this one."""

from typing import Annotated

from milo_schema import Description, MinLen


class Context:
    """What the framework hands to a command: no caller passes it, so no schema names it."""

    def log(self, message: str, *, level: int) -> None:
        """Tell the user."""


def deploy(
    environment: Annotated[str, MinLen(1), Description("Target environment")],
    service: Annotated[str, MinLen(1)],
    version: str = "latest",
    ctx: Context = None,
) -> dict[str, str]:
    """Deploy a service.

    Args:
        service: Service name.
        version: Version or image tag.
    """
    ctx.log(f"Deploying {service}", level=1)
    return {"environment": environment, "service": service, "version": version}
