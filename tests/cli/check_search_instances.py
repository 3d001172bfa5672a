"""Runs search-instances on the shipped files, on bad input, and on published files where they are at hand.

usage: check_search_instances.py PROGRAM FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
failures = 0


def run(*words):
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)


def expect(condition, what, result):
    global failures
    if not condition:
        failures += 1
        print(f"FAILED: {what}\n  status {result.returncode}\n  {result.stdout[:600]}\n  {result.stderr[:600]}")


def solve(format_name, file, *more):
    result = run("--format", format_name, file, "--json", *more)
    expect(result.returncode == 0, f"{format_name} {file.name} {more}", result)
    return json.loads(result.stdout)["instances"] if result.returncode in (0, 1) else []


def check_all(instances, count, name):
    proven = [each for each in instances if each["status"] in ("optimal", "infeasible")]
    if len(instances) != count or len(proven) != count or not all(each["agrees"] for each in instances):
        raise SystemExit(f"FAILED: {name}: {json.dumps(instances)[:2000]}")


# Shipped files, by every algorithm that proves what it finds.
for algorithm in ("labels", "branch-and-bound", "brute-force"):
    check_all(solve("mist", folder / "mist.json", "--algorithm", algorithm), 5, "mist " + algorithm)
check_all(solve("osdp", folder / "osdp.json"), 5, "osdp")
for algorithm in ("branch-and-bound", "best-first"):
    check_all(solve("zero-one", folder / "zero-one.json", "--algorithm", algorithm), 5, "zero-one " + algorithm)
first = solve("osdp", folder / "osdp.json")[0]
assert abs(first["objective"] - 7.387630941) < 1e-9 and first["bound"] == first["objective"], first
assert {"work", "candidates"} <= first["counters"].keys() and first["seconds"] >= 0, first
none = solve("mist", folder / "mist.json")[4]
assert none["status"] == "infeasible" and none["objective"] is None and none["bound"] is None, none

# The textbook table needs whole units, which these are; an own algorithm may do worse, and then the status says so.
check = solve("osdp", folder / "osdp.json", "--algorithm", "table")
assert all(each["status"] == "feasible" and each["agrees"] for each in check), check
greedy = run("--format", "osdp", folder / "osdp.json", "--algorithm", "greedy")
expect(greedy.returncode == 1 and "ANOTHER" in greedy.stdout, "an answer that is not the file's", greedy)
expect("answers are not what the files say" in greedy.stderr, "how many answers differ", greedy)

table = run("--format", "mist", folder / "mist.json", folder / "mist.json")
expect(table.returncode == 0 and table.stdout.count("four-stages") == 2, "two files, one table", table)

# Bad input: one line on stderr that says what is wrong and what would be right, status 2.
def refused(words, *parts):
    result = run(*words)
    lines = result.stderr.strip().splitlines()
    expect(result.returncode == 2 and lines and all(part in result.stderr for part in parts), f"refuses {words}", result)


refused(["--format", "alpa", folder / "osdp.json"], "--format", "galvatron-dp")
refused(["--format", "osdp"], "FILE")
refused(["--format", "osdp", "no-such-file.json"], "no-such-file.json", "missing")
refused(["--format", "osdp", folder / "osdp.json", "--algorithm", "magic"], "magic", "labels, table, brute-force, greedy")
refused(["--format", "mist", folder / "osdp.json"], "id", "missing")
with tempfile.TemporaryDirectory() as temporary:
    at = pathlib.Path(temporary) / "bad.json"

    def with_change(source, change):
        document = json.loads((folder / source).read_text())
        change(document["instances"][0])
        at.write_text(json.dumps(document))

    with_change("osdp.json", lambda one: one["operators"][0]["cost"].pop())
    refused(["--format", "osdp", at], "bad.json", "cost", "an array of 4")
    with_change("osdp.json", lambda one: one["operators"][0]["memory"].__setitem__(0, -1))
    refused(["--format", "osdp", at], "bad.json", "negative")
    with_change("osdp.json", lambda one: one["operators"][0]["memory"].__setitem__(1, "much"))
    refused(["--format", "osdp", at], "bad.json", "instances[0].operators[0].memory[1]", "much", "a number")
    with_change("osdp.json", lambda one: one.__setitem__("limits", 3))
    refused(["--format", "osdp", at], "instances[0].limits", "unknown", "limit")
    with_change("mist.json", lambda one: one.__setitem__("S", 5))
    refused(["--format", "mist", at], "stages", "an array of 5")
    with_change("mist.json", lambda one: one["stages"][0][0]["points"][0].append(1))
    refused(["--format", "mist", at], "points", "[T, D]")
    with_change("zero-one.json", lambda one: one["rows"][6]["factors"].pop())
    refused(["--format", "zero-one", at], "instances[0].rows[6].factors", "an array of 24")
    with_change("zero-one.json", lambda one: one["rows"][6].pop("most"))
    refused(["--format", "zero-one", at], "instances[0].rows[6].most", "missing")
    at.write_text("{}")
    refused(["--format", "amp", at], "bad.json", "array")

# Published files, where they are at hand (SHARDPLAN_DATA_DIR).
data = os.environ.get("SHARDPLAN_DATA_DIR")
if data:
    data = pathlib.Path(data)
    check_all(solve("mist", data / "mist/inter_stage_instances.json"), 20, "mist")
    check_all(solve("amp", data / "amp/pipeline_dp.json"), 24, "amp")
    check_all(solve("galvatron-dp", data / "galvatron/dp_core.json"), 218, "galvatron-dp")
    for name in ("het_a100x32", "het_a100x8", "het_a100x8_mem40", "het_a100x8_perm6", "het_opt350_a100x16"):
        check_all(solve("metis", data / f"metis/{name}.json"), 3, name)
    mixed = run("--format", "metis", data / "metis/het_neo27_a100x8_v100x8.json")
    expect(mixed.returncode == 2 and "device types" in mixed.stderr, "mixed groups are refused", mixed)
else:
    print("published files left out: SHARDPLAN_DATA_DIR is not set")
sys.exit(1 if failures else 0)
