#!/usr/bin/env python3
"""What including a set of headers costs, against a budget.

The gate is the number of templates that clang instantiates (classes and functions, from -ftime-trace): it is the same
on every machine. The seconds of g++ -O0 are printed for the reader and decide nothing.
Each entry of the budget: name, headers, max_instantiations, and optionally floor, the standard and Hana headers that
it stands on, whose seconds are shown beside it.
"""

import json
import os
import sys
import tempfile
import time

import compiler


def instantiations(options, source, folder):
    trace = os.path.join(folder, "trace.json")
    words = compiler.command(options, "-O0", "-c", source, "-o", os.path.join(folder, "out.o"),
                             f"-ftime-trace={trace}", "-ftime-trace-granularity=0")
    status, output = compiler.run(words)
    if status != 0:
        sys.exit(f"does not compile:\n{compiler.first_lines(output)}")
    with open(trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    return sum(event["name"] in ("InstantiateClass", "InstantiateFunction") for event in events)


def seconds(options, source, folder):
    """The best of three, with the compiler that --clock names."""
    words = compiler.command(options, "-O0", "-c", source, "-o", os.path.join(folder, "out.o"))
    words[0] = options.clock
    best = float("inf")
    for _ in range(3):
        start = time.monotonic()
        status, output = compiler.run(words)
        best = min(best, time.monotonic() - start)
        if status != 0:
            sys.exit(f"does not compile:\n{compiler.first_lines(output)}")
    return best


def main():
    parser = compiler.arguments(__doc__)
    parser.add_argument("--clock", help="compiler whose seconds are printed, such as g++")
    parser.add_argument("budget", help="JSON file")
    options = parser.parse_args()
    with open(options.budget, encoding="utf-8") as file:
        entries = json.load(file)["entries"]

    over = []
    with tempfile.TemporaryDirectory() as folder:
        def source_of(headers):
            path = os.path.join(folder, "source.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(f"#include <{header}>\n" for header in headers)
            return path

        for entry in entries:
            source = source_of(entry["headers"])
            count, budget = instantiations(options, source, folder), entry["max_instantiations"]
            line = f"{entry['name']}: {count} instantiations of at most {budget}"
            if options.clock:
                line += f"; g++ -O0 {seconds(options, source, folder):.2f} s"
                if "floor" in entry:
                    line += f", its floor {seconds(options, source_of(entry['floor']), folder):.2f} s"
            print(line)
            if count > budget:
                over.append(entry["name"])
    if over:
        sys.exit("over budget: " + ", ".join(over))


main()
