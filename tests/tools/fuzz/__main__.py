"""Derivations of random modules: ``python -m tests.tools.fuzz --count 10000 --seed 1 --jobs 2``.

``--case 123`` shows the module of one seed, and derives it; ``--atheris 60`` lets coverage guide
the choices, for that many seconds.
"""

import argparse
import importlib
import pkgutil
import random
import sys


def instrument() -> None:
    """Import the library so that the fuzzer sees which of its lines run."""
    import atheris

    with atheris.instrument_imports(include=["milo_schema"]):
        package = importlib.import_module("milo_schema")
        for module in pkgutil.walk_packages(package.__path__, "milo_schema."):
            importlib.import_module(module.name)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="cases")
    parser.add_argument("--seed", type=int, default=0, help="that of the first case")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--case", type=int, help="show this one")
    parser.add_argument("--atheris", type=float, metavar="SECONDS", help="guided by coverage")
    options = parser.parse_args()
    if options.atheris:
        instrument()
    from tests.tools.fuzz import campaign, generator  # instrumented, or not

    if options.atheris:
        campaign.run_guided(options.atheris)
    if options.case is not None:
        print("\n".join(generator.case(random.Random(options.case).randrange).source))
        tally = campaign.run(range(options.case, options.case + 1))
    else:
        tally = campaign.run_all(options.count, options.seed, options.jobs)
    print(tally.report())
    return bool(tally.faults)


if __name__ == "__main__":
    sys.exit(main())
