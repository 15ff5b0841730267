"""What becomes of a program that is run, and of everything it starts."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chidev.infra import process_tree
from chidev.infra.process import Ended, Outcome, run, shown
from chidev.infra.process_tree import MARK

PYTHON = (sys.executable, "-I", "-S")
WORD = "CHIDEV_TEST_OF_PROCESS"
LIMIT_BYTES = 1 << 20

# A program that starts one process which leaves it as far as it is told to, notes its number, and then goes its way.
LEAVING = """
import os, sys, time
how, then = sys.argv[1:]
def stay():
    with open("note.new", "w") as note:
        note.write(str(os.getpid()))
    os.rename("note.new", "note")
    time.sleep(60)
if how == "stay":
    stay()
if os.fork() == 0:
    if how == "own group":
        os.setpgid(0, 0)
    if how in ("own session", "daemon", "daemon with no environment"):
        os.setsid()
    if how.startswith("daemon") and os.fork():
        os._exit(0)
    if how == "daemon with no environment":
        os.execve(sys.executable, [sys.executable, "-I", "-S", __file__, "stay", ""], {})
    stay()
while not os.path.exists("note"):
    time.sleep(0.002)
print("started", flush=True)
if then == "hangs":
    time.sleep(60)
while then == "floods":
    os.write(1, b"x" * 65536)
"""

# A process that is never there for long: its child goes on in its place, each in a session of its own.
HOPPING = """
import os, time
until = time.monotonic() + 60
while time.monotonic() < until:
    if os.fork():
        os._exit(0)
    os.setsid()
    time.sleep(0.0005)  # else it is the rest of the machine that suffers
"""

# This process's part in a process of its own: what `run` is told, and what it answered.
DRIVER = """
import os, sys
sys.path[:0] = {path!r}
from chidev.infra.process import run
{before}
ended = run({command!r}, cwd={cwd!r}, stdin=b"", timeout_s=20, stdout_limit_bytes=100)
print(ended.outcome, ended.stdout, len(os.listdir("/proc/self/task")))
"""

# Alone, it takes in orphans: what it was told before, whom an orphan came to, and what it is told after.
ALONE = """
import ctypes, os, sys
sys.path[:0] = {path!r}
from chidev.infra.process import run
system = ctypes.CDLL(None)
system.prctl(36, {value}, 0, 0, 0)
ended = run({command!r}, cwd={cwd!r}, stdin=b"", timeout_s=20, stdout_limit_bytes=100)
after = ctypes.c_int()
system.prctl(37, ctypes.byref(after), 0, 0, 0)
print(ended.stdout.decode(), os.getpid(), after.value)
"""

# Says whom its child's child came to when its child had ended.
ORPHAN = """
import os, time
out, into = os.pipe()
if not os.fork():
    child = os.getpid()
    if not os.fork():
        while os.getppid() == child:
            time.sleep(0.002)
        os.write(into, str(os.getppid()).encode())
    os._exit(0)
os.wait()
print(os.read(out, 20).decode())
"""


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test: no process that inherited this environment outlives it."""
    word = os.urandom(8).hex()
    monkeypatch.setenv(WORD, word)
    yield
    assert [left.pid for left in psutil.process_iter() if environment(left).get(WORD) == word] == []


@pytest.fixture(params=["with its orphans taken in", "beside a thread"])
def way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both ways of finding the processes of a run; a second thread makes it the other one."""
    if request.param == "with its orphans taken in":
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


def environment(of: psutil.Process) -> dict[str, str]:
    """The environment of another process; empty when it has ended."""
    try:
        return of.environ() if of.pid != os.getpid() else {}
    except (psutil.Error, OSError):
        return {}


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def start(*command: str, cwd: Path, stdin: bytes = b"", timeout_s: float = 20, **others: Any) -> Ended:
    limit_bytes = others.pop("stdout_limit_bytes", LIMIT_BYTES)
    return run(command, cwd=str(cwd), stdin=stdin, timeout_s=timeout_s, stdout_limit_bytes=limit_bytes, **others)


def code(text: str, *words: str) -> tuple[str, ...]:
    """The command that runs some Python."""
    return (*PYTHON, "-c", text, *words)


def leaving(cwd: Path, how: str, then: str) -> tuple[str, ...]:
    (cwd / "leaving.py").write_text(LEAVING)
    return (*PYTHON, str(cwd / "leaving.py"), how, then)


def script(at: Path, text: str, mode: int = 0o755) -> Path:
    at.write_text(text)
    at.chmod(mode)
    return at


# What a program is given, and what it answers


@pytest.mark.parametrize("status", [0, 1, 3, 255])
def test_what_it_printed_and_its_status_are_told(tmp_path: Path, status: int) -> None:
    ended = start("sh", "-c", f"echo out; echo err >&2; exit {status}", cwd=tmp_path)

    assert ended == Ended(Outcome.ENDED, status, b"out\n", "err\n")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_signal_that_ended_it_is_its_status_negative(tmp_path: Path, number: signal.Signals) -> None:
    ended = start("sh", "-c", f"kill -{number.value} $$", cwd=tmp_path)

    assert (ended.outcome, ended.exit_code) == (Outcome.ENDED, -number)


def test_its_words_are_data_to_no_shell(tmp_path: Path) -> None:
    ended = start("printf", "%s", "$(touch made); * `touch made`", cwd=tmp_path)

    assert ended.stdout == b"$(touch made); * `touch made`"
    assert not (tmp_path / "made").exists()


def test_it_runs_in_the_directory_given_and_a_word_with_a_slash_is_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    script(tmp_path / "bin" / "here", "#!/bin/sh\npwd -P\n")

    ended = start("bin/here", cwd=tmp_path)

    assert ended.stdout.decode() == f"{tmp_path.resolve()}\n"


def test_a_bare_word_is_found_by_the_path_of_its_environment(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    script(tmp_path / "bin" / "found", "#!/bin/sh\necho found\n")
    script(tmp_path / "found", "#!/bin/sh\necho wrong\n")

    ended = start("found", cwd=tmp_path, env={"PATH": str(tmp_path / "bin")})

    assert ended.stdout == b"found\n"


def test_it_has_the_environment_given_and_the_word_of_its_run(tmp_path: Path) -> None:
    ended = start(*code("import os; print(sorted(os.environ))"), cwd=tmp_path, env={"A": "b", "LC_CTYPE": "C"})

    assert ended.stdout.decode().strip() == str(["A", MARK, "LC_CTYPE"])


def test_a_run_inside_a_run_is_part_of_both(tmp_path: Path) -> None:
    ended = start("sh", "-c", f"echo ${MARK}", cwd=tmp_path, env={MARK: "outer"})

    assert ended.stdout.decode().split()[0] == "outer"
    assert len(ended.stdout.split()) == 2


@given(sent=st.binary(max_size=300_000))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_it_is_sent_it_can_send_back_whole(sent: bytes, tmp_path: Path) -> None:
    assert start("cat", cwd=tmp_path, stdin=sent).stdout == sent


def test_much_in_and_much_out_at_once_do_not_block_each_other(tmp_path: Path) -> None:
    talk = """import sys, os
os.write(2, b"y" * 500_000)
sys.stdout.write("x" * 900_000)
sys.stdout.flush()
print(len(sys.stdin.read()))"""

    ended = start(*code(talk), cwd=tmp_path, stdin=b"z" * 2_000_000)

    assert ended.stdout == b"x" * 900_000 + b"2000000\n"


@pytest.mark.parametrize(
    "program",
    [
        "print('ok')",
        "import os, time; os.close(0); time.sleep(0.05); print('ok')",
        "import sys, time; sys.stdin.read(10); time.sleep(0.05); print('ok')",
    ],
    ids=["does not read", "closes it", "reads a part"],
)
def test_one_that_does_not_read_what_it_is_sent_is_no_failure(tmp_path: Path, program: str) -> None:
    ended = start(*code(program), cwd=tmp_path, stdin=b"x" * 3_000_000)

    assert (ended.outcome, ended.exit_code, ended.stdout) == (Outcome.ENDED, 0, b"ok\n")


def test_of_long_diagnostics_the_end_is_kept(tmp_path: Path) -> None:
    flood = "import os\nfor _ in range(128): os.write(2, b'y' * 65535 + b'\\n')\nos.write(2, b'last \\xff words')"

    ended = start(*code(flood), cwd=tmp_path)

    assert ended.exit_code == 0
    assert ended.stderr.endswith("y\nlast \ufffd words")
    assert len(ended.stderr) <= 4096


@pytest.mark.parametrize(("size_bytes", "outcome"), [(1000, Outcome.ENDED), (1001, Outcome.OUTPUT_LIMIT)])
def test_output_over_the_limit_is_told_apart_from_output_up_to_it(
    tmp_path: Path, size_bytes: int, outcome: Outcome
) -> None:
    ended = start(*code(f"print('x' * {size_bytes}, end='')"), cwd=tmp_path, stdout_limit_bytes=1000)

    assert (ended.outcome, ended.stdout) == (outcome, b"x" * 1000)


def test_output_without_an_end_is_ended_at_the_limit(tmp_path: Path) -> None:
    begin = time.monotonic()

    ended = start("yes", cwd=tmp_path)

    assert ended.outcome is Outcome.OUTPUT_LIMIT
    assert time.monotonic() - begin < 3


def test_one_that_closes_its_output_early_is_waited_for_to_its_end(tmp_path: Path, way: None) -> None:
    program = "import os, sys, time; print('ok', flush=True); os.close(1); os.close(2); time.sleep(0.3); os._exit(3)"

    ended = start(*code(program), cwd=tmp_path)

    assert ended == Ended(Outcome.ENDED, 3, b"ok\n")


# When its time is over


@pytest.mark.parametrize(
    "program",
    [
        "import time; time.sleep(60)",
        "import os, time; os.close(1); os.close(2); time.sleep(60)",
        "import signal, time\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        "import os\nwhile True: os.write(2, b'y' * 65536)",
    ],
    ids=["hangs", "hangs with its outputs closed", "ignores signals", "stops itself", "floods its diagnostics"],
)
def test_one_that_does_not_end_in_time_is_ended(tmp_path: Path, program: str, way: None) -> None:
    begin = time.monotonic()

    ended = start(*code(program), cwd=tmp_path, timeout_s=0.3)

    assert (ended.outcome, ended.exit_code) == (Outcome.TIMED_OUT, -signal.SIGKILL)
    assert 0.3 <= time.monotonic() - begin < 2


def test_what_it_said_before_its_time_was_over_is_told(tmp_path: Path) -> None:
    ended = start("sh", "-c", "echo out; echo waiting >&2; exec sleep 60", cwd=tmp_path, timeout_s=0.3)

    assert (ended.outcome, ended.stdout, ended.stderr) == (Outcome.TIMED_OUT, b"out\n", "waiting\n")


def test_a_background_child_that_holds_the_output_open_is_not_waited_for(tmp_path: Path, way: None) -> None:
    begin = time.monotonic()

    ended = start("sh", "-c", "sleep 60 & echo out; exit 3", cwd=tmp_path)

    assert ended == Ended(Outcome.ENDED, 3, b"out\n")
    assert time.monotonic() - begin < 2


def test_one_that_ended_just_in_time_ended(tmp_path: Path) -> None:
    """Its deadline comes while a child of it still holds the output open."""
    ended = start("sh", "-c", "sleep 60 & exit 3", cwd=tmp_path, timeout_s=0.15)

    assert (ended.outcome, ended.exit_code) == (Outcome.ENDED, 3)


# When it cannot be started


def test_one_that_is_not_there_is_told_by_name(tmp_path: Path) -> None:
    assert start("./gone", cwd=tmp_path) == Ended(Outcome.NOT_STARTED, reason="`./gone` is not there")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("no-such-program-here", "is not on PATH"),
        ("./folder", "is a directory"),
        ("./closed", "cannot be started: permission denied"),
        ("./interpreted", "the interpreter that its first line names: no such file"),
        ("./windows", "the interpreter that its first line names: no such file"),
        ("./by-folder", "the interpreter that its first line names: permission denied"),
        ("./empty", "cannot be started: exec format error"),
        ("./empty/x", "is not there"),
        ("./nul\0", "cannot be started: embedded null byte"),
        ("", "cannot be started: permission denied"),
        ("./" + "long" * 100, "cannot be started: file name too long"),
        ("./two\nlines", "`./two\\nlines` is not there"),
    ],
)
def test_why_it_cannot_be_started_is_told_in_one_line(tmp_path: Path, word: str, says: str) -> None:
    (tmp_path / "folder").mkdir()
    script(tmp_path / "closed", "#!/bin/sh\n", 0o644)
    script(tmp_path / "interpreted", "#!/no/such/interpreter\n")
    script(tmp_path / "windows", "#!/bin/sh\r\n")
    script(tmp_path / "by-folder", "#!/tmp\n")
    script(tmp_path / "empty", "")

    ended = start(word, cwd=tmp_path)

    assert ended.outcome is Outcome.NOT_STARTED
    assert says in ended.reason
    assert "\n" not in ended.reason
    assert len(ended.reason) < 250


def test_a_directory_that_is_not_there_is_told_and_not_taken_for_the_program(tmp_path: Path) -> None:
    ended = start("true", cwd=tmp_path / "gone")

    assert ended.outcome is Outcome.NOT_STARTED
    assert f"in `{tmp_path}/gone`: no such file" in ended.reason


def test_an_environment_that_no_program_can_have_is_no_exception(tmp_path: Path) -> None:
    ended = start("true", cwd=tmp_path, env={"A=B": "c"})

    assert "illegal environment variable name" in ended.reason


def test_more_words_than_a_program_can_be_given_are_no_exception(tmp_path: Path) -> None:
    ended = start("true", *["x" * 100_000] * 50, cwd=tmp_path)

    assert "argument list too long" in ended.reason


# What it started


@pytest.mark.parametrize(
    ("how", "then", "outcome"),
    [
        ("same group", "ends", Outcome.ENDED),
        ("own group", "ends", Outcome.ENDED),
        ("own session", "ends", Outcome.ENDED),
        ("daemon", "ends", Outcome.ENDED),
        ("own session", "hangs", Outcome.TIMED_OUT),
        ("daemon", "hangs", Outcome.TIMED_OUT),
        ("daemon", "floods", Outcome.OUTPUT_LIMIT),
    ],
)
def test_what_it_started_is_ended_with_it(tmp_path: Path, way: None, how: str, then: str, outcome: Outcome) -> None:
    ended = start(*leaving(tmp_path, how, then), cwd=tmp_path, timeout_s=0.5)

    assert ended.outcome is outcome
    assert ended.stdout.startswith(b"started\n")
    assert not is_alive(int((tmp_path / "note").read_text()))


def test_what_it_started_is_ended_with_it_however_fast_it_moves(tmp_path: Path, way: None) -> None:
    ended = start(*code(HOPPING), cwd=tmp_path, timeout_s=0.2)

    assert ended.exit_code == 0  # and `nothing_is_left`


def test_a_daemon_that_dropped_its_environment_is_ended_with_it(tmp_path: Path) -> None:
    driven = drive(leaving(tmp_path, "daemon with no environment", "ends"), tmp_path)

    assert driven.communicate(timeout=20)[0] == b"ended b'started\\n' 1\n"
    assert not is_alive(int((tmp_path / "note").read_text()))


def test_no_process_that_ended_is_left_unreaped(tmp_path: Path) -> None:
    before = psutil.Process().children()

    start("sh", "-c", "(true &) ; (sleep 60 &) ; true & sleep 0.02", cwd=tmp_path)

    assert psutil.Process().children() == before


def test_a_child_this_process_had_before_is_not_touched(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        start("sh", "-c", "sleep 60 &", cwd=tmp_path)

        assert other.poll() is None
        other.kill()


def test_a_child_that_another_thread_starts_meanwhile_is_not_touched(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        running = pool.submit(start, "sleep", "0.3", cwd=tmp_path)
        time.sleep(0.1)
        with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
            running.result()

            assert other.poll() is None
            other.kill()


def test_runs_at_one_time_do_not_end_each_other(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        times = [f"0.{n}" for n in range(8)]
        runs = [pool.submit(start, "sh", "-c", f"(setsid sleep 60 &) ; sleep {n}", cwd=tmp_path) for n in times]

        assert {run.result().exit_code for run in runs} == {0}


def test_this_process_takes_in_orphans_only_during_the_run(tmp_path: Path) -> None:
    start("true", cwd=tmp_path)

    now = ctypes.c_int()
    ctypes.CDLL(None).prctl(37, ctypes.byref(now), 0, 0, 0)
    assert now.value == 0


@pytest.mark.parametrize("value", [0, 1])
def test_a_process_alone_takes_in_orphans_for_the_run_and_then_as_it_did_before(tmp_path: Path, value: int) -> None:
    """Seen by the program itself: its child's child comes to the process that ran it."""
    text = ALONE.format(path=sys.path, value=value, command=code(ORPHAN), cwd=str(tmp_path))

    done = subprocess.run([sys.executable, "-c", text], capture_output=True, check=True)

    taken_in_by, own, after = done.stdout.split()
    assert taken_in_by == own
    assert int(after) == value


def test_a_crowd_is_ended_as_one_is(tmp_path: Path, way: None) -> None:
    crowd = "for n in 1 2 3 4 5 6 7 8 9 10; do for m in 1 2 3 4 5 6 7 8 9 10; do sleep 60 & done; done; exit 3"
    begin = time.monotonic()

    ended = start("sh", "-c", crowd, cwd=tmp_path)

    assert ended.exit_code == 3  # and `nothing_is_left`
    assert time.monotonic() - begin < 5


def test_no_handle_is_left_open(tmp_path: Path) -> None:
    before = os.listdir("/dev/fd")

    start("cat", cwd=tmp_path, stdin=b"x")
    start("./gone", cwd=tmp_path)
    start("sleep", "60", cwd=tmp_path, timeout_s=0.05)

    assert os.listdir("/dev/fd") == before


def test_psutil_finds_the_same_processes_where_proc_is_not_there(tmp_path: Path) -> None:
    command = leaving(tmp_path, "own session", "hangs")
    with subprocess.Popen(command, cwd=tmp_path, env={**os.environ, MARK: "outer inner"}) as other:
        while not (tmp_path / "note").exists():
            time.sleep(0.005)
        pid = int((tmp_path / "note").read_text())
        children = process_tree._children_by_psutil(other.pid)
        environments = {process_tree._environment_by_psutil(left) for left in (pid, other.pid)}
        other.kill()
        os.kill(pid, signal.SIGKILL)
    while is_alive(pid):
        time.sleep(0.005)

    assert (children, environments) == ([pid], {b"outer inner"})
    assert process_tree._children_by_psutil(other.pid) == []
    assert process_tree._environment_by_psutil(other.pid) == b""


# When this process is told to stop


class Alarm(Exception):
    """What a handler of this process raises."""


@pytest.fixture
def alarm() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_an_exception_that_comes_meanwhile_ends_it_and_goes_on(tmp_path: Path, way: None, alarm: None) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    command = leaving(tmp_path, "daemon", "hangs")

    with pytest.raises(Alarm):
        start(*command, cwd=tmp_path)

    assert not is_alive(int((tmp_path / "note").read_text()))


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the object that stands for a half started process says so
@pytest.mark.parametrize("delay_s", [0.0001, 0.0005, 0.001, 0.002, 0.004])
def test_an_exception_that_comes_while_it_is_being_started_leaves_nothing(
    tmp_path: Path, alarm: None, delay_s: float
) -> None:
    signal.setitimer(signal.ITIMER_REAL, delay_s)

    with pytest.raises(Alarm):
        start("sleep", "60", cwd=tmp_path)


def drive(command: tuple[str, ...], cwd: Path, before: str = "") -> subprocess.Popen[bytes]:
    """A process that does nothing but run a program."""
    text = DRIVER.format(path=sys.path, before=before, command=command, cwd=str(cwd))
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize(
    ("number", "before", "status", "says"),
    [
        (signal.SIGTERM, "", -signal.SIGTERM, b""),
        (
            signal.SIGHUP,
            "import signal; signal.signal(1, signal.SIG_DFL)",  # what `nohup` may have taken away
            -signal.SIGHUP,
            b"",
        ),
        (signal.SIGINT, "import signal; signal.signal(2, signal.SIG_DFL)", -signal.SIGINT, b""),
        (
            signal.SIGINT,
            "import signal; signal.signal(2, signal.default_int_handler)",  # what a shell's `&` may have taken away
            -signal.SIGINT,
            b"KeyboardInterrupt",
        ),
        (signal.SIGTERM, "import signal; signal.signal(15, lambda *_: sys.exit(7))", 7, b""),
    ],
)
def test_a_signal_to_this_process_ends_the_program_and_then_does_what_it_would_have_done(
    tmp_path: Path, number: signal.Signals, before: str, status: int, says: bytes
) -> None:
    driven = drive(leaving(tmp_path, "own session", "hangs"), tmp_path, before)
    while not (tmp_path / "note").exists():
        time.sleep(0.005)

    for _ in range(3):  # somebody is in a hurry
        driven.send_signal(number)
    _, stderr = driven.communicate(timeout=20)

    assert driven.returncode == status
    assert says in stderr if says else stderr == b""
    assert not is_alive(int((tmp_path / "note").read_text()))


def test_the_handlers_of_signals_are_as_they_were_after_a_run(tmp_path: Path) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]

    start("true", cwd=tmp_path)

    assert [signal.getsignal(number) for number in numbers] == before
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()


def test_what_runs_programs_is_not_imported_before_one_is_run() -> None:
    text = "import sys, chidev.infra.process_provider, chidev.infra.process as _; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", text], capture_output=True, check=True).stdout.decode().split()

    assert not {"subprocess", "psutil", "selectors", "ctypes", "threading"} & set(loaded)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("./toy.py", "./toy.py"),
        ('it\'s "so" \\n', 'it\'s "so" \\n'),
        ("caf\u00e9 \U0001f600", "caf\u00e9 \U0001f600"),
        ("a\nb\r\0\x1b[31m\u2028\ud800", "a\\nb\\r\\x00\\x1b[31m\\u2028\\ud800"),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 77 + "..."),
    ],
)
def test_a_text_from_outside_is_shown_in_one_line(text: str, line: str) -> None:
    assert shown(text) == line
    assert shown(shown(text)) == line
