"""The example of Milo's contract; it needs no other package."""

from typing import Annotated

from milo_schema import Description, MinLen


class Context:
    """The framework passes this to a command, so the schema leaves it out."""

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
