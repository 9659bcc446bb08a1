# Compares ranks with threads: usage ranks.py BUILD_FOLDER [ROUNDS]
# Two ranks and two threads compute the same base-bound in alternation. Other work on the
# machine delays both, so the processor time of each is measured as well: the cost of ranks
# (messages, polling, start-up) is the same on any number of processors.
import os
import resource
import statistics
import subprocess
import sys
import time

build = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
tool = os.path.join(build, "cli", "rope-check")
questions = {
    "base-bound to 262,144, islands to 1000 times the infimum":
        ["base-bound", "--dim", "128", "--context", "262144", "--search-to", "1e30"],
}
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                  OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none")


def ways(question):
    return {
        "1 thread": [tool, *question, "--threads", "1"],
        "2 threads": [tool, *question, "--threads", "2"],
        "2 ranks": ["mpirun", "-n", "2", tool, *question],
    }


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def measure(command):
    before, start = used(), time.perf_counter()
    report = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return time.perf_counter() - start, used() - before, report


def compare(what, question):
    measured = {way: [] for way in ways(question)}
    for _ in range(rounds):
        for way, command in ways(question).items():
            measured[way].append(measure(command))
    assert len({report for each in measured.values() for _, _, report in each}) == 1
    print(f"| {what} | by the clock | processor |")
    print("|---|---|---|")
    for way, each in measured.items():
        clock, processor = (statistics.median(one[k] for one in each) for k in (0, 1))
        print(f"| {way} | {clock:.2f} s | {processor:.2f} s |")
    for k, how in enumerate(("by the clock", "of the processor")):
        ratio = statistics.median(
            threads[k] / ranks[k]
            for threads, ranks in zip(measured["2 threads"], measured["2 ranks"]))
        print(f"\n2 ranks are {ratio:.2f} of 2 threads {how}", end="")
    print("\n")


for what, question in questions.items():
    compare(what, question)
