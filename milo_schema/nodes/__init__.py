"""Classes that are defined above the files that name them in annotations.

A node is read by the ``Reader`` and written into ``Definitions``, which import all nodes, and its
parameters are a part of a ``Reading``; a wire form writes a ``ToolSchema``, which keeps its
``Call``. A type checker sees these classes here. At run time, a name only has to exist, for
programs that look annotations up, such as import hooks that check types.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from milo_schema.nodes.annotated import Annotated
    from milo_schema.nodes.custom import Site, Walk
    from milo_schema.nodes.definitions import Definitions, Named
    from milo_schema.nodes.foreign import PydanticHooks
    from milo_schema.nodes.metadata import MetadataReader
    from milo_schema.nodes.reader import Reader
    from milo_schema.nodes.session import Session, SharedTypes
    from milo_schema.profile import Profile
    from milo_schema.schemas.functions import Reading
    from milo_schema.schemas.outputs import Result
    from milo_schema.schemas.parameters import Parameters
    from milo_schema.schemas.special import SpecialParameters
    from milo_schema.tools.calls import Call
    from milo_schema.tools.definition import ToolSchema
else:
    Annotated = Call = Definitions = MetadataReader = Named = Parameters = Profile = Any
    PydanticHooks = Reader = Reading = Result = Session = SharedTypes = Site = Any
    SpecialParameters = ToolSchema = Walk = Any

__all__ = [
    "Annotated",
    "Call",
    "Definitions",
    "MetadataReader",
    "Named",
    "Parameters",
    "Profile",
    "PydanticHooks",
    "Reader",
    "Reading",
    "Result",
    "Session",
    "SharedTypes",
    "Site",
    "SpecialParameters",
    "ToolSchema",
    "Walk",
]
