"""Tools as people write them, each as the source of a module with a function ``tool``.

Speed is measured with them, and each measurement needs functions that nothing has seen before.
"""

IMPORTS = """
import datetime
import enum
from dataclasses import dataclass, field
from typing import Annotated, Literal, NotRequired, Optional, TypedDict
from milo_schema import Description, Ge, Le, MaxLen, MinLen, Pattern
"""

SEARCH = '''
def tool(
    query: Annotated[str, MinLen(1)],
    state: Literal["open", "closed", "all"] = "open",
    labels: list[str] | None = None,
    limit: Annotated[int, Ge(1), Le(100)] = 20,
    since: Optional[datetime.datetime] = None,
) -> list[dict[str, str]]:
    """Search the issues of the project.

    Args:
        query: The words to look for.
        state: Which issues to look at.
        labels: The labels that an issue must have, all of them.
        limit: How many issues to return at most.
        since: Issues that are older are left out.

    Returns:
        The issues that match, the best match first.
    """
'''
INVITE = '''
@dataclass
class Person:
    name: str
    email: Annotated[str, Pattern("^[^@]+@[^@]+$")]
    is_required: bool = True

def tool(
    title: str,
    start: datetime.datetime,
    people: list[Person],
    minutes: int = 30,
    rooms: list[str] = [],
) -> str:
    """Invite people to a meeting.

    The invitation goes out at once.

    Args:
        title: What the meeting is about.
        start: When it begins.
        people: Who is invited.
        minutes: How long it takes.
        rooms: The rooms that are tried, in this order.
    """
'''
DEPLOY = '''
class Stage(enum.Enum):
    TEST = "test"
    STAGING = "staging"
    PRODUCTION = "production"

def tool(
    service: str, stage: Stage, version: str | None = None, replicas: int = 1, dry_run: bool = False
) -> dict[str, str]:
    """Deploy a service.

    Args:
        service: The name of the service.
        stage: Where it is deployed.
        version: The version; the latest one if none is given.
        replicas: How many instances of it run.
        dry_run: Whether to say only what would be done.
    """
'''
REPORT = '''
class Filters(TypedDict):
    column: str
    values: list[str]
    negate: NotRequired[bool]

def tool(
    table: str,
    filters: Filters,
    columns: list[str] | None = None,
    totals: dict[str, Literal["sum", "mean"]] | None = None,
) -> dict[str, list[float]]:
    """Report on a table.

    Args:
        table: The name of the table.
        filters: Which rows count.
        columns: Which columns to show; all if none are named.
        totals: What to compute of which column.
    """
'''
RESIZE = '''
@dataclass
class Size:
    """How large an image is.

    Attributes:
        width: In pixels.
        height: In pixels.
    """

    width: int
    height: int = 0

def tool(
    path: Annotated[str, MaxLen(255), Description("The image.")],
    size: Size | None = None,
    crop: tuple[int, int, int, int] | None = None,
    quality: Annotated[float, Ge(0), Le(1)] = 0.8,
) -> Size:
    """Resize an image.

    Args:
        size: How large it becomes.
        crop: The part that remains: left, top, right and bottom.
        quality: How little is lost.
    """
'''

TOOLS = {
    name: IMPORTS + source
    for name, source in {
        "search": SEARCH,
        "invite": INVITE,
        "deploy": DEPLOY,
        "report": REPORT,
        "resize": RESIZE,
    }.items()
}
