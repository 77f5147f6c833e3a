"""Jobs in other processes: every one has an answer, whatever ends a process, and no process outlives its parent."""
import operator
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from benchmark.stops import is_running
from sdf_frames.work import CRASHED, FAULT, MEMORY, TIMEOUT, Failed, Pool, Worker, run_each

ROOT = Path(__file__).resolve().parents[2]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
PATIENCE = 60.0
SLOWLY = "[__import__('time').sleep(1), __import__('os').getpid()][1]"  # so that two take two processes


def run(function, *arguments, **limits):
    """The answer to one job."""
    (answer,) = run_each(function, [arguments], **limits)
    return answer


@pytest.fixture
def worker():
    worker = Worker()
    yield worker
    worker.end()


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(("job", "limits", "reason", "message"), [
    ((int, "one"), {}, FAULT,
     "sdf_frames could not process this: ValueError: invalid literal for int() with base 10: 'one'"),
    ((operator.attrgetter("gone"), 1), {}, FAULT, "has no attribute 'gone'"),
    ((len, lambda: 1), {}, FAULT, "ickl"),  # the argument does not pickle
    ((operator.attrgetter("tb_frame"), 1), {}, FAULT, "tb_frame"),
    ((threading.Lock,), {}, FAULT, "ickl"),  # the answer does not pickle
    ((os._exit, 7), {}, CRASHED, "without a result (status 7)"),
    ((sys.exit, 3), {}, CRASHED, "without a result (status 3)"),
    ((signal.raise_signal, signal.SIGTERM), {}, CRASHED, "without a result (signal 15)"),
    ((time.sleep, 600), {"seconds": 0.5}, TIMEOUT, "stopped after 0.5 s"),
    ((bytearray, 3_000_000_000), {"megabytes": 300}, MEMORY, "more memory than its limit of 300 MB"),
    ((bytearray, 1 << 62), {}, MEMORY, "more memory than there is"),  # M018
    ((len, "abc"), {"seconds": 1e300}, FAULT, "OverflowError")])  # nobody can wait for so long
def test_what_ends_a_job_is_its_answer(job, limits, reason, message):
    run(len, "abc", megabytes=limits.get("megabytes"))  # to start a process may take longer than half a second
    failed = run(*job, **limits)
    assert isinstance(failed, Failed) and failed.reason == reason and message in failed.finding.message
    assert bool(failed.trace) == (reason == FAULT)
    assert run(len, "abc", megabytes=limits.get("megabytes")) == 3, "the next one has its own answer"


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="the system does not tell the peak of memory")
def test_memory_counts_for_one_job_and_also_if_the_job_hides_the_error():
    eat = "def f(n):\n try: return len(bytearray(n))\n except MemoryError: return 0"
    assert run_each(exec, [(f"{eat}\nf(250_000_000)",)] * 4, megabytes=300) == [None] * 4
    assert run(exec, f"{eat}\nf(400_000_000)", megabytes=300).reason == MEMORY


@pytest.mark.parametrize(("harm", "seconds", "reason"), [
    ("__import__('os')._exit(7)", None, CRASHED), ("__import__('time').sleep(600)", 3.0, TIMEOUT),
    ("1 / 0", None, FAULT)])
def test_the_answers_around_a_failure_are_kept(harm, seconds, reason):
    answers = run_each(eval, [("1",), ("2",), (harm,), ("4",), ("5",)], seconds)
    assert answers.pop(2).reason == reason and answers == [1, 2, 4, 5]


def test_each_job_has_the_whole_time(worker):
    assert worker.work(time.sleep, [(0.6,)] * 4, 2.0) == [None] * 4, "2.4 s in sum"


@LINUX
@pytest.mark.parametrize("text", ["abc", "x" * 5_000_000], ids=["small", "more than the socket holds"])
def test_a_process_that_is_stopped_is_late(worker, text):
    (pid,) = worker.work(os.getpid, [()])
    os.kill(pid, signal.SIGSTOP)
    (failed,) = worker.work(len, [(text,)], 0.5)
    assert failed.reason == TIMEOUT and not is_running(pid)
    assert worker.work(len, [(text,)]) == [len(text)]


@LINUX
def test_a_process_that_is_killed_while_it_has_no_job_costs_no_answer(worker):
    (pid,) = worker.work(os.getpid, [()])
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_running(pid))
    assert worker.work(len, [("abc",)]) == [3]


def test_a_process_is_kept_for_its_limits_and_ended_for_others():
    first = run(os.getpid)
    assert run(os.getpid) == first and run(os.getpid, megabytes=3000) not in (first, os.getpid())
    assert run(os.getpid) != first
    found = []
    thread = threading.Thread(target=lambda: found.append(run(os.getpid)))
    thread.start()
    thread.join()
    assert found != [run(os.getpid)], "a thread has its own process"


def test_a_process_is_prepared_before_its_first_job():
    prepare = (operator.setitem, os.environ, "PREPARED", "yes")
    assert run(os.getenv, "PREPARED", prepare=(os.putenv, "PREPARED", "yes")) is None
    assert run(eval, "__import__('sys').prepared", prepare=(exec, "import sys; sys.prepared = 5")) == 5
    assert prepare[1].get("PREPARED") is None
    failed = run(len, "abc", prepare=(exec, "1 / 0"))
    assert failed.reason == CRASHED, "nothing is done by a process that was not prepared"


def test_the_code_of_a_job_has_neither_our_input_nor_our_output(capfd):
    assert run(exec, "import os; os.write(1, b'noise'); print('noise', flush=True)") is None
    assert run(eval, "__import__('os').read(0, 9)") == b""
    assert capfd.readouterr().out == ""


def test_the_working_folder_is_not_searched_for_modules(tmp_path):
    for name in ("pickle", "signal", "lxml"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken from the working folder')")
    script = (f"import sys; sys.path[0] = {str(ROOT)!r}; from sdf_frames.work import run_each\n"
              "print(*run_each(len, [('abc',)]))")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("3\n", "")


class Counted:
    """A function that counts how often it is pickled."""

    pickled = 0

    def __reduce__(self):
        Counted.pickled += 1
        return eval, ("len",)


def test_a_function_is_sent_once(worker):
    function = Counted()
    assert worker.work(function, [("a",), ("bc",)]) + worker.work(function, [("def",)]) == [1, 2, 3]
    assert Counted.pickled == 1
    worker.end()
    assert worker.work(function, [("abcd",)]) == [4] and Counted.pickled == 2


def test_an_interrupt_leaves_no_answer_behind(worker, monkeypatch):
    monkeypatch.setattr("sdf_frames.work.worker.pickle.loads", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        worker.work(len, [("a",)])
    monkeypatch.undo()
    assert worker.work(len, [("abc",)]) == [3]


PARENT = """
    import os, signal, sys, threading, time
    from sdf_frames.work import Pool, run_each
    if sys.argv[1] == "run":
        pids = run_each(os.getpid, [()])
    else:
        pool = Pool(2, fork=sys.argv[1] == "fork")
        pids = [*pool.map(eval, [("[__import__('time').sleep(1), __import__('os').getpid()][1]",)] * 2)]
    os.kill(pids[0], signal.SIGSTOP)
    print(*pids, flush=True)
    time.sleep(600)
"""


@LINUX
@pytest.mark.parametrize("kind", ["run", "fork", "spawn"])
def test_processes_end_with_their_parent_whatever_they_do(kind):
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(PARENT), kind], stdout=subprocess.PIPE, text=True,
                              cwd=ROOT)
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert pids and all(map(is_running, pids))
    parent.kill()
    parent.wait()
    wait_until(lambda: not any(map(is_running, pids)))


@LINUX
def test_a_process_whose_parent_has_ended_before_it_looks_ends():
    script = "from sdf_frames.work.serving import end_with_parent; end_with_parent({}); print('here')"
    said = [subprocess.run([sys.executable, "-c", script.format(pid)], cwd=ROOT, capture_output=True, text=True).stdout
            for pid in (os.getpid(), 1 << 22)]
    assert said == ["here\n", ""]


def test_a_pool_answers_in_order_and_a_killed_worker_costs_one_answer():
    chunks = [tuple(f"{i} * 2" for i in range(start, start + 7)) for start in range(0, 210, 7)]
    chunks[10] = (*chunks[10][:3], "__import__('os')._exit(9)", *chunks[10][4:])
    with Pool(3) as pool:
        answers = list(pool.map(eval, chunks))
    assert answers[73].reason == CRASHED and answers[:73] + answers[74:] == [i * 2 for i in range(210) if i != 73]


def test_a_pool_takes_few_chunks_ahead_and_begins_large_ones_first(tmp_path):
    taken = []
    chunks = [(f"open({str(tmp_path / 'log')!r}, 'a').write('{i} ')",) for i in range(40)]
    with Pool(1) as pool:
        answers = pool.map(eval, (taken.append(chunk) or chunk for chunk in chunks), [chunks[30], chunks[7]])
        next(answers)
        assert len(taken) == 5, "four wait"
        assert len(list(answers)) == 39
    done = (tmp_path / "log").read_text().split()
    assert done == ["30", "7", *[str(i) for i in range(40) if i not in (7, 30)]]


@LINUX
def test_a_pool_that_is_closed_ends_what_is_under_way():
    with Pool(2) as pool:
        pids = [*pool.map(eval, [(SLOWLY,)] * 2)]
        busy = [pool.submit(time.sleep, [(600,)]) for _ in range(3)]
        wait_until(lambda: busy[1].running())
    assert busy[2].cancelled() and [answer.reason for future in busy[:2] for answer in future.result()]
    assert not any(map(is_running, pids))
    with pytest.raises(RuntimeError):
        pool.submit(len, [("abc",)])


def test_a_cancelled_worker_starts_nothing_more(worker):
    worker.work(len, [("abc",)])
    worker.cancel()
    (failed,) = worker.work(len, [("abc",)])
    assert isinstance(failed, Failed)
    (failed,) = worker.work(len, [("abc",)])
    assert failed.reason == FAULT and "cancelled" in failed.finding.message


@LINUX
def test_workers_never_see_an_interrupt():
    with Pool(2, fork=True) as pool:
        pids = [*pool.map(eval, [(SLOWLY,)] * 2)]
        for pid in pids:
            os.kill(pid, signal.SIGINT)
        assert sorted(pool.map(eval, [(SLOWLY,)] * 2)) == sorted(pids)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
