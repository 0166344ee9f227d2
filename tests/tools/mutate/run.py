"""Run tests for mutations: in forks of a process that has imported and collected everything.

A fork puts the mutated code into the functions that are loaded, and runs the tests that reach it.
Code that runs when a module is imported or tests are collected needs a new start: a process
that imports the mutated module and collects the tests anew.
"""

import contextlib
import enum
import functools
import gc
import importlib
import importlib.util
import itertools
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import pickle
import pkgutil
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import coverage
import pytest

from tests.tools.mutate.code import Mutant, Package
from tests.tools.mutate.swap import import_mutated, loaded_functions, replace_code, replaced_code
from tests.tools.mutate.trace import COLLECTION, Measured, Trace, digest

STORE = ".mutate/{}.{}".format(*sys.version_info)  # a Python has lines and verdicts of its own
KILLED = 77  # the exit status of a process in which a test failed
HUNG = (-signal.SIGALRM, -signal.SIGPROF)  # that of a process whose time is over
MEMORY = 4 << 30  # bytes that a mutation may take
FIRST = 5.0  # seconds of the tests, traced, that run first: they notice most mutations
FORK = multiprocessing.get_context("fork")


class Verdict(enum.Enum):
    """The result of a mutation."""

    KILLED = "a test fails"
    HUNG = "a test hangs"
    CRASHED = "the process ended: a crash, or no memory left"
    SURVIVED = "no test fails"
    UNREACHED = "no test runs this line"
    UNKNOWN = "needs a new start"


def verdict(status: int) -> Verdict:
    known = {0: Verdict.SURVIVED, KILLED: Verdict.KILLED} | dict.fromkeys(HUNG, Verdict.HUNG)
    return known.get(status, Verdict.CRASHED)


def spent() -> float:
    """The seconds of the processor so far: of this process, and of those that it waited for."""
    return time.process_time() + sum(os.times()[2:4])


def limit(seconds: float) -> None:
    """End this process after so many seconds of its own, or ten times as many of waiting."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def judge(
    package: Package, mutants: list[Mutant], jobs: int, patience: int
) -> Iterator[tuple[Mutant, Verdict] | str]:
    """The verdict on each mutation, in the order in which they are found; and notes in between."""
    unknown = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.tempdir = folder
        receiver, sender = FORK.Pipe(duplex=False)
        server = FORK.Process(target=serve, args=(package, mutants, jobs, patience, sender))
        server.start()
        sender.close()
        with contextlib.suppress(EOFError):
            while True:
                message = receiver.recv()
                if isinstance(message, str):
                    yield message
                elif message[1] is Verdict.UNKNOWN:
                    unknown.append(message[0])
                else:
                    yield mutants[message[0]], message[1]
        server.join()
        if server.exitcode:
            log = package.root / STORE / "pytest.log"
            raise RuntimeError(f"pytest ended with {server.exitcode}:\n{log.read_text()[-4000:]}")
        trace = Trace.load(package.root / STORE / "trace")
        tasks = {i: functools.partial(start_anew, mutants[i], trace, patience) for i in unknown}
        for i, status in in_forks(tasks.items(), jobs):
            yield mutants[i], verdict(status)


def in_forks(
    tasks: Iterable[tuple[int, Callable[[], Any]]], jobs: int
) -> Iterator[tuple[int, int]]:
    """Run each task in a separate process, and return its exit status."""
    tasks = iter(tasks)
    running: dict[Any, Any] = {}
    while True:
        for i, task in itertools.islice(tasks, jobs - len(running)):
            process = FORK.Process(target=task)
            process.start()
            running[process.sentinel] = i, process
        if not running:
            return
        for sentinel in multiprocessing.connection.wait(list(running)):
            i, process = running.pop(sentinel)
            process.join()
            yield i, process.exitcode


# -- pytest ----------------------------------------------------------------------------------------


def options() -> list[str]:
    """Everything in one process and in order, the same at every run, and no time for messages."""
    os.environ.pop("PYTEST_ADDOPTS", None)  # it may ask for coverage, which is ours to measure
    plugins = ["-p", "no:randomly", "-p", "no:cacheprovider"]
    parallel = ["-n0"] if importlib.util.find_spec("xdist") else []
    return ["-q", "--capture=no", "--assert=plain", *plugins, *parallel]


def redirect(log: pathlib.Path | str) -> None:
    for descriptor, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, log, os.O_WRONLY | os.O_APPEND),
    ):
        os.dup2(os.open(path, flags), descriptor)


class Judge:
    """A plugin of pytest: the first failure ends the process, and so does a hang."""

    def __init__(self, trace: Trace, patience: int) -> None:
        self.trace = trace
        self.patience = patience

    def pytest_runtest_logstart(self, nodeid):
        limit(self.patience + 10 * self.trace.tests[nodeid].seconds)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            os._exit(KILLED)


class InOrder(Judge):
    """Run these tests in this order; a test that cannot be collected fails, too."""

    def __init__(self, trace: Trace, patience: int, names: list[str]) -> None:
        super().__init__(trace, patience)
        self.rank = {name: i for i, name in enumerate(names)}

    def pytest_collectreport(self, report):
        if report.failed:
            os._exit(KILLED)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid in self.rank]
        items.sort(key=lambda item: self.rank[item.nodeid])


def run_items(items: Iterable[pytest.Item], before: Callable[[str], object] = id) -> None:
    for item, following in itertools.pairwise([*items, None]):
        before(item.nodeid)
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def start_anew(mutant: Mutant, trace: Trace, patience: int) -> None:
    """Import the mutated module, and collect and run the tests that may notice it.

    Those that notice most are first: their files are collected in a fraction of the time.
    """
    redirect(os.devnull)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    import_mutated(mutant)
    soon, later = trace.first(trace.bits(mutant), mutant.subject, FIRST)
    later += trace.names(trace.other_bits(mutant), mutant.subject)
    for names in filter(None, (soon, later)):
        limit(5 * patience)
        files = {name.partition("::")[0] for name in names}
        tests = InOrder(trace, patience, names)
        status = pytest.main([*options(), *sorted(files)], plugins=[tests])
        if status == pytest.ExitCode.USAGE_ERROR:  # a conftest.py cannot be imported
            os._exit(KILLED)


# -- the process that has collected everything -----------------------------------------------------


def serve(package: Package, mutants: list[Mutant], jobs: int, patience: int, sender: Any) -> None:
    redirect(package.root / STORE / "pytest.log")
    server = Server(package, mutants, jobs, patience, sender.send)
    if status := pytest.main(options(), plugins=[server]):
        raise SystemExit(status)


class Tracer:
    """Coverage of the package, as far as it is asked for."""

    def __init__(self, package: Package) -> None:
        folder = str(package.folder)
        self.coverage = coverage.Coverage(data_file=None, config_file=False, source=[folder])
        self.coverage.set_option("run:core", "ctrace")  # the core that can distinguish tests
        self.coverage.set_option("run:disable_warnings", ["no-data-collected"])
        self.coverage.start()
        self.switch = self.coverage.switch_context

    def stop(self) -> dict[str, dict[int, list[str]]]:
        """The tests that ran each line of each file."""
        self.coverage.stop()
        data = self.coverage.get_data()
        lines = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
        data.close(force=True)
        return lines


class Recorder:
    """A plugin of pytest: how long each test takes, and which fail."""

    def __init__(self) -> None:
        self.measured = Measured()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        start = spent()
        result = yield
        self.measured.seconds[item.nodeid] = spent() - start
        return result

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.measured.failed[report.nodeid] = report.longreprtext.strip().rpartition("\n")[2]


class Server:
    """A plugin of pytest: trace the tests that need it, and run some for each mutation."""

    def __init__(
        self,
        package: Package,
        mutants: list[Mutant],
        jobs: int,
        patience: int,
        send: Callable[[object], None],
    ) -> None:
        self.package = package
        self.mutants = mutants
        self.jobs = jobs
        self.patience = patience
        self.send = send
        self.tracer = Tracer(package)

    def pytest_runtestloop(self, session):
        if session.testsfailed:
            raise session.Interrupted("tests cannot be collected")
        folder = self.package.folder
        for module in pkgutil.walk_packages([str(folder)], f"{folder.name}."):
            importlib.import_module(module.name)
        self.items = {item.nodeid: item for item in session.items}
        self.trace = Trace.load(self.package.root / STORE / "trace")
        self.bring_trace_up_to_date()
        self.judge()
        return True

    def bring_trace_up_to_date(self) -> None:
        root = self.package.root
        digests = {name: digest(item.path, root) for name, item in self.items.items()}
        self.trace.forget(self.package, digests)
        names = [name for name in self.items if name not in self.trace.tests]
        if names:
            self.send(f"tracing {len(names)} of {len(self.items)} tests")
        measured = [Measured(lines=self.tracer.stop()), *self.trace_tests(names)]
        failed = [f"{name}: {why}" for part in measured for name, why in part.failed.items()]
        if failed:
            self.send("\n".join(["left out, for they fail without a mutation:", *sorted(failed)]))
        self.trace.add(self.package, measured, digests)
        self.trace.save(root / STORE / "trace")

    def trace_tests(self, names: list[str]) -> list[Measured]:
        files = [pathlib.Path(tempfile.gettempdir(), f"measured-{i}") for i in range(self.jobs)]
        shares = [names[i :: self.jobs] for i in range(self.jobs)]
        tasks = map(functools.partial, [self.trace_share] * self.jobs, shares, files)
        for _, status in in_forks(enumerate(tasks), self.jobs):
            if status:
                raise RuntimeError(f"a process that traces tests ended with {status}")
        return [pickle.loads(file.read_bytes()) for file in files]

    def trace_share(self, names: list[str], file: pathlib.Path) -> None:
        recorder = Recorder()
        tracer = Tracer(self.package)
        self.run(names, recorder, before=tracer.switch)
        recorder.measured.lines = tracer.stop()
        file.write_bytes(pickle.dumps(recorder.measured))

    def run(self, names: list[str], plugin: object, before: Callable[[str], object]) -> None:
        items = [self.items[name] for name in names]
        if items:
            items[0].config.pluginmanager.register(plugin)
        run_items(items, before)

    def judge(self) -> None:
        """Run a few tests for every mutation, then the others where that was not enough."""
        functions = loaded_functions(self.package)
        gc.freeze()
        first, then = {}, {}
        for i, mutant in enumerate(self.mutants):
            replaced = replaced_code(mutant, functions)
            if not (self.trace.bits(mutant) or self.trace.other_bits(mutant)):
                self.send((i, Verdict.UNREACHED))
            elif replaced is None:
                self.send((i, Verdict.UNKNOWN))
            else:
                run = functools.partial(self.run_mutated, mutant, replaced, functions)
                soon, others = self.trace.first(self.trace.bits(mutant), mutant.subject, FIRST)
                first[i] = functools.partial(run, soon)
                if others and not self.trace.bits(mutant) & COLLECTION:  # which starts anew
                    then[i] = functools.partial(run, others)
        for i, status in in_forks(first.items(), self.jobs):
            if status or i not in then:
                then.pop(i, None)
                self.tell(i, status)
        for i, status in in_forks(then.items(), self.jobs):
            self.tell(i, status)

    def tell(self, i: int, status: int) -> None:
        is_unsure = status == 0 and self.trace.bits(self.mutants[i]) & COLLECTION
        self.send((i, Verdict.UNKNOWN if is_unsure else verdict(status)))

    def run_mutated(self, mutant, replaced, functions, names) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        import_mutated(mutant)
        replace_code(replaced, functions)
        self.run(names, Judge(self.trace, self.patience), before=id)
