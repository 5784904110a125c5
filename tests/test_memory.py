"""Keeping the process small; how small it is, `benchmarks/table_at_rest.py` tells."""

import subprocess
import sys

from companion.memory import FEW_HEAPS, M_ARENA_MAX, NUMPY, stay_small


class Glibc:
    def __init__(self, does=1):
        self.asked, self._does = [], does

    def mallopt(self, setting, value):
        self.asked.append((setting, value))
        return self._does


def test_one_heap_is_asked_for():
    library, environment = Glibc(), {}
    assert stay_small(environment, library)
    assert (M_ARENA_MAX, 1) in library.asked
    assert len(library.asked) == len(FEW_HEAPS)
    assert environment == NUMPY


def test_what_the_environment_sets_stands():
    library, environment = Glibc(), {"MALLOC_ARENA_MAX": "4", "OPENBLAS_NUM_THREADS": "2"}
    assert stay_small(environment, library)
    assert M_ARENA_MAX not in dict(library.asked)
    assert environment == {**NUMPY, "MALLOC_ARENA_MAX": "4", "OPENBLAS_NUM_THREADS": "2"}


def test_a_library_that_knows_no_heaps_or_refuses_is_lived_with():
    assert not stay_small({}, object())
    assert not stay_small({}, Glibc(does=0))


def test_the_table_asks_before_numpy_is_there():
    script = (
        "import sys, companion.memory as memory\n"
        "def asked(): print('numpy' in sys.modules); raise KeyboardInterrupt\n"
        "memory.stay_small = asked\n"
        "from companion.cli import main\n"
        "sys.exit(main(['run']))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "False\n"), done.stderr
