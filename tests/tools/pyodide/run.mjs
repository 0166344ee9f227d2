// node run.mjs PYODIDE_MODULE PACKAGES CHECKOUT [PYTEST_ARGUMENT...]

const [module, packages, checkout, ...args] = process.argv.slice(2);
const { loadPyodide } = await import(module);
const pyodide = await loadPyodide({
  env: { PYTHONDONTWRITEBYTECODE: "1", HYPOTHESIS_STORAGE_DIRECTORY: "/home/pyodide/hypothesis" },
});
pyodide.mountNodeFS("/packages", packages);
pyodide.mountNodeFS("/checkout", checkout);
pyodide.globals.set("args", pyodide.toPy(args));

function fail(error) {
  console.error(error.stack); // without the source of Pyodide, which is one long line
  process.exit(3);
}
process.on("uncaughtException", fail);
process.exitCode = pyodide.runPython(`
import os, shutil, sys, sysconfig

shutil.unpack_archive("/lib/python314.zip", sysconfig.get_path("stdlib"))  # tests read sources

os.chdir("/checkout")
sys.path.insert(0, "/packages")

import milo_schema  # before pytest puts the checkout first: what is tested is the wheel
import pytest

assert milo_schema.__file__.startswith("/packages/"), milo_schema.__file__
sys.path.insert(0, "/checkout")
print(sys.platform, sys.version)
int(pytest.main(["-n", "0", "-rsfE", "-p", "tests.tools.pyodide.plugin", "-p", "no:cacheprovider", *args]))
`);
