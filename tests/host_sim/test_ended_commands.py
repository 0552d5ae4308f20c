# SPDX-License-Identifier: MIT
"""Commands that are ended in mid-run exit with the right status and leave no process behind."""

import concurrent.futures.process
import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host_sim.command_line.progress import Progress, left
from host_sim.commands import selftest
from host_sim.lab import worker_pool
from host_sim.maker import CommandError

ROOT = Path(__file__).resolve().parents[2]
GENEROUS_S = 300  # a limit for what never ends, on the busiest machine
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

# what is begun, and on what it prints its first line of progress
LONG = {
    "fuzz": ("-m host_sim fuzz", "stderr"),
    "soak": ("-m host_sim soak --long", "stderr"),
    "hours": ("-m host_sim soak --hours 100", "stderr"),
    "demo": ("-m host_sim demo --rounds 13", "stdout"),
}


def began(line, where):
    """Start a command in its own session. Return the process when it has written a line to the
    stream `where`."""
    process = subprocess.Popen(
        [sys.executable, *line.split()],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert getattr(process, where).readline()
    return process


def session(process):
    """Return {process id: state, such as "S"} for the processes in the session of a process."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if fields[0] != "Z" and int(fields[3]) == process.pid:
            found[int(stat.parent.name)] = fields[0]
    return found


def until(condition, process=None):
    """Wait until a condition is met; fail after a long time, or when `process` has ended."""
    end = time.monotonic() + GENEROUS_S
    while not condition():
        assert not process or process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def has_semaphores():
    try:
        multiprocessing.Lock()
    except OSError:
        return False
    return True


needs_semaphores = pytest.mark.skipif(not has_semaphores(), reason="no semaphores: no /dev/shm")


def workers_of(process):
    return session(process).keys() - {process.pid}


@pytest.fixture
def left_alone():
    """Yield a list for processes that a test starts in their own sessions. At the end of the test,
    all processes that are left in these sessions are killed."""
    begun = []
    yield begun
    for process in begun:
        for left_over in session(process):
            os.kill(left_over, signal.SIGKILL)
        process.communicate()


@pytest.fixture
def ended(left_alone):
    """Return a function that starts a command of LONG and waits for its workers. The command is
    ended after the test."""
    begun = left_alone

    def begin(name):
        begun.append(began(*LONG[name]))
        if name != "demo":
            enough = min(2, os.cpu_count())
            until(lambda: len(workers_of(begun[-1])) >= enough, begun[-1])
        return begun[-1]

    return begin


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "name, number, status, kill",
    [
        ("fuzz", signal.SIGINT, 130, os.kill),
        ("demo", signal.SIGTERM, 143, os.kill),
        pytest.param("fuzz", signal.SIGINT, 130, os.killpg, marks=SLOW),
        pytest.param("fuzz", signal.SIGTERM, 143, os.kill, marks=SLOW),
        pytest.param("soak", signal.SIGTERM, 143, os.kill, marks=SLOW),
        pytest.param("hours", signal.SIGINT, 130, os.killpg, marks=SLOW),
        pytest.param("demo", signal.SIGINT, 130, os.killpg, marks=SLOW),
    ],
)
@needs_semaphores
def test_a_signal_ends_all_of_it(name, number, status, kill, ended):
    process = ended(name)
    kill(process.pid, number)
    _, err = process.communicate(timeout=GENEROUS_S)
    assert process.returncode == status
    assert "Traceback" not in err, err
    until(lambda: not session(process))


EARLY = """
import os, runpy, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "%s":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["host_sim", "houses"]
runpy.run_module("host_sim", run_name="__main__")
"""


@pytest.mark.parametrize("name", ["host_sim.command_line.arguments", "host_sim.commands.soak"])
def test_ctrl_c_while_a_command_is_still_being_loaded(name):
    done = subprocess.run(
        [sys.executable, "-c", EARLY % name], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


HANGS = """
import time
import pytest
from host_sim.lab import worker_pool

@pytest.mark.parametrize("n", range(3))
def test_another(n):
    pass

def test_hangs():
    with worker_pool.pool(2) as pool:
        for work in [pool.submit(time.sleep, 100000) for _ in range(4)]:
            work.result()
"""


@needs_semaphores
@SLOW
def test_a_test_that_hangs_is_named_and_ends_with_its_workers(tmp_path, left_alone):
    """A test that hangs is named, and its worker ends.

    Its processes end, too, so that they do not keep xdist's pipe open.
    """
    test = tmp_path / "test_hangs.py"
    test.write_text(HANGS)
    options = "-n 2 --max-worker-restart 0 -p no:cacheprovider -o faulthandler_timeout=1"
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", *options.split(), test],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    left_alone.append(process)
    said, _ = process.communicate(timeout=GENEROUS_S)
    assert process.returncode == 1, said
    assert "crashed while running" in said and "test_hangs" in said
    assert "3 passed" in said
    until(lambda: not session(process))


@needs_semaphores
def test_workers_end_with_a_parent_that_is_killed(ended):
    process = ended("fuzz")
    process.kill()
    process.communicate(timeout=GENEROUS_S)  # the pipes have no other end left
    until(lambda: not session(process))


INTERRUPTED = """
import sys
from host_sim.command_line import exit_signals
from host_sim.lab import worker_pool

def main():
    with worker_pool.pool(1) as pool:
        pool._work_ids.mutex.acquire()
        raise KeyboardInterrupt

worker_pool.PATIENCE = 0.1
sys.exit(exit_signals.ended_by_signals(main))
"""


@needs_semaphores
def test_a_signal_that_comes_while_a_lock_is_taken_ends_all_of_it():
    """Ctrl-C ends the command even while a lock is being taken.

    Python may raise KeyboardInterrupt before the code that releases the lock is set up.
    """
    words = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=GENEROUS_S)
    assert (done.returncode, done.stderr) == (130, "")


LACKING = [errno.ENOENT, errno.EACCES, errno.EROFS, errno.ENOSPC, errno.ENOSYS, None]


@pytest.fixture(params=LACKING, ids=lambda number: errno.errorcode.get(number, "no module"))
def no_semaphores(request, monkeypatch):
    """Let semaphores fail, as where /dev/shm is missing, closed or full, or where Python was built
    without them. Return the reason."""

    def none(*_):
        raise OSError(request.param, os.strerror(request.param))

    # the library asks once in a process, and would keep the answer
    monkeypatch.setattr(concurrent.futures.process, "_system_limits_checked", False)
    monkeypatch.setattr(concurrent.futures.process, "_system_limited", None)
    if request.param is None:
        monkeypatch.setitem(sys.modules, "multiprocessing.synchronize", None)
        return "multiprocessing.synchronize"
    monkeypatch.setattr("multiprocessing.synchronize._multiprocessing.SemLock", none)
    return os.strerror(request.param)


def test_one_process_does_all_the_work_without_semaphores(no_semaphores, capfd):
    with worker_pool.pool() as pool:
        assert list(pool.map(pow, [2, 3], [5, 2])) == [32, 9]
        assert pool.submit(os.getpid).result() == os.getpid()
    (said,) = capfd.readouterr().err.splitlines()
    assert "mount a writable /dev/shm" in said and no_semaphores in said
    with pytest.raises(ZeroDivisionError), worker_pool.pool() as pool:
        pool.submit(divmod, 1, 0).result()


def test_a_count_of_processes_is_not_a_thread(no_semaphores):
    with pytest.raises(CommandError, match="mount a writable /dev/shm"):
        worker_pool.pool(1).__enter__()


WITHOUT = """
import multiprocessing.synchronize, os, sys, time
from host_sim.command_line import exit_signals
from host_sim.lab import worker_pool

def none(*_):
    raise FileNotFoundError(2, "No such file or directory")

def main():
    with worker_pool.pool() as pool:
        work = [pool.submit(time.sleep, 100000) for _ in range(2)]
        print("at work", file=sys.stderr, flush=True)
        work[0].result()

multiprocessing.synchronize._multiprocessing.SemLock = none
sys.exit(exit_signals.ended_by_signals(main))
"""


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_work_without_semaphores(number, status, left_alone):
    process = subprocess.Popen(
        [sys.executable, "-c", WITHOUT],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    left_alone.append(process)
    assert "/dev/shm" in process.stderr.readline()
    assert process.stderr.readline() == "at work\n"
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=GENEROUS_S)
    assert (process.returncode, err) == (status, "")


# ---- the self-test ----


class Hub:
    """A hub in a self-test; Ctrl-C arrives after the first line of the self-test.

    answers: the lines that `send` yields after Ctrl-C; if one is an exception, `send` raises it
    """

    def __init__(self, *answers):
        self.answers = answers
        self.sent = []

    def lines(self, seconds):
        yield {"slot": "3", "reader": "0x92"}
        raise KeyboardInterrupt

    def ask(self, command):
        return {"selftest": "begin"}

    def send(self, command, seconds):
        self.sent.append(command)
        for answer in self.answers:
            if isinstance(answer, Exception):
                raise answer
            yield answer


@pytest.mark.parametrize(
    "answers, said",
    [
        ([{"slot": "4", "tag": "0-0"}, {"selftest": "end"}], "the hub plays again"),
        ([{"error": "no self-test runs; `selftest` begins one"}], ""),
        ([], "hold any of its buttons for a second"),
        ([CommandError("the hub is gone")], "hold any of its buttons for a second"),
        ([OSError(5, "gone")], "hold any of its buttons for a second"),
    ],
)
def test_a_self_test_that_is_interrupted(answers, said, monkeypatch, capsys):
    from host_sim.__main__ import main
    from host_sim.maker import usb_hub

    hub = Hub(*answers)
    monkeypatch.setattr(usb_hub, "HubConsole", lambda port: hub)
    assert main(["selftest", "--port", "x"]) == 130
    assert hub.sent == ["selftest end"]
    assert said in capsys.readouterr().out
    assert selftest.LEAVING_S < 2


# ---- progress ----


class Terminal:
    encoding = "utf-8"

    def __init__(self, terminal):
        self.terminal = terminal
        self.text = ""

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_progress_without_a_terminal(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    out = Terminal(False)
    with Progress("soak", "evenings", 400, out) as progress:
        for n in range(1, 101):
            now[0] += 0.25
            progress.to(n)
        progress.say("a story")
    assert out.text.splitlines() == [
        "soak: 0 of 400 evenings, begun",
        "soak: 40 of 400 evenings, about 90 s left".replace("about 90 s", "about 2 min"),
        "soak: 80 of 400 evenings, about 80 s left",
        "a story",
    ]


def test_progress_on_a_terminal():
    out = Terminal(True)
    with Progress("fuzz", "cases", 40, out) as progress:
        progress.more(40)
        progress.say("a story")
        shown = out.text
    assert "fuzz" in shown and "40 of 40 cases" in shown and "a story\n" in shown
    assert out.text.endswith("\r") and "\n" not in out.text.replace("a story\n", "")


def test_how_long_it_takes_yet():
    assert left(10, 0, 5) == "no end in sight yet"
    assert left(10, 1, 5) == "about 40 s left"
    assert left(600, 1, 5) == "about 40 min left"
    assert left(3600, 1, 5) == "about 4.0 h left"
