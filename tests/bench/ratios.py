# Compares the tool with its peers, in alternation: usage ratios.py ROPE_CHECK ROPE_BENCH [ROUNDS]
# Prints Markdown tables of medians; every ratio is the median of the ratios in each round. Times are
# processor times (user and system), which other work on the machine changes less than wall time.
import json
import os
import resource
import statistics
import subprocess
import sys

import commands

tool, bench = sys.argv[1:3]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
here = os.path.dirname(os.path.abspath(__file__))


def verify(context):
    return [tool, "verify", "--dim", "128", "--context", str(context), "--threads", "1"]


def peer(name, *arguments):
    return [sys.executable, os.path.join(here, "peers", name), *map(str, arguments)]


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def run(command):
    start = used()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return used() - start


def printed(command):
    """The lines NAME SECONDS as a dict."""
    out = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return {line.split()[0]: float(line.split()[1]) for line in out.splitlines()}


def benchmarks(pattern):
    """Google Benchmark's numbers of each loop by name."""
    command = [bench, f"--benchmark_filter={pattern}", "--benchmark_format=json"]
    out = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return {one["name"]: one for one in json.loads(out)["benchmarks"]}


def one_round(long):
    numbers = {
        "numpy": run(peer("check_numpy.py")),
        "verify": run(verify(131072)),
        "torch": run(peer("check_torch.py")),
        "verify again": run(verify(131072)),
    }
    if long:
        numbers["numpy 1M"] = run(peer("check_numpy.py", 1048576))
        numbers["verify 1M"] = statistics.median(run(verify(1048576)) for _ in range(15))
    numbers.update(printed(peer("decay.py")))
    numbers["roformer_curve"] = benchmarks("^roformer_curve")["roformer_curve"]["cpu_time"] / 1e3
    return numbers


def median(all_rounds, value):
    values = [value(numbers) for numbers in all_rounds]
    return statistics.median(v for v in values if v is not None)


def row(all_rounds, what, ours, theirs):
    text = commands.duration(median(all_rounds, lambda r: r.get(ours)))
    ratio = f"{median(all_rounds, lambda r: r[theirs] / r[ours] if ours in r else None):.0f}×"
    other = commands.duration(median(all_rounds, lambda r: r.get(theirs)))
    print(f"| {what} | {text} | {theirs}: {other} | {ratio} |")


measured = [one_round(long=k == 0) for k in range(rounds)]
print("| loop, one thread | rope-check | peer | ratio |")
print("|---|---|---|---|")
row(measured, "verify, 131,072 positions", "verify", "numpy")
row(measured, "verify, 131,072 positions", "verify again", "torch")
row(measured, "verify, 1,048,576 positions", "verify 1M", "numpy 1M")
for peer_name in ("numpy_at_once", "numpy_in_blocks"):
    row(measured, "RoFormer's curve, 1,048,576 distances", "roformer_curve", peer_name)
print()

# The roofline: a loop over a tile in the caches can be no faster than its operations at the limit of arithmetic, or its
# bytes at the limit of the first cache.
loops = benchmarks("^(limit|kernel)_")
arithmetic, cache = loops["limit_arithmetic"]["items_per_second"], loops["limit_cache"]["items_per_second"]
print(f"limit of arithmetic: {arithmetic / 1e9:.0f} billion operations a second; of the first cache: {cache / 1e9:.0f} GB/s")
print("\n| loop over a tile | ns for a pair of a row | bound by arithmetic | bound by the cache | share of the bound |")
print("|---|---|---|---|---|")
for name, loop in loops.items():
    if "operations" not in loop:
        continue
    took, by_arithmetic, by_cache = (1e9 / loop["items_per_second"], 1e9 * loop["operations"] / arithmetic,
                                     1e9 * loop["bytes"] / cache)
    share = max(by_arithmetic, by_cache) / took
    print(f"| {name.removeprefix('kernel_')} | {took:.2f} | {by_arithmetic:.2f} | {by_cache:.2f} | {share:.0%} |")
commands.print_table(tool, rounds)
