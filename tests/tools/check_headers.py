#!/usr/bin/env python3
"""Every header of a room compiles alone and without a warning."""

import os
import subprocess
import sys

import compiler


def main():
    parser = compiler.arguments(__doc__)
    parser.add_argument("--flag", action="append", default=[], help="one more compiler flag")
    parser.add_argument("headers", nargs="+", help="as written in an #include, such as shardplan/unit/literals.hpp")
    options = parser.parse_args()

    failed = []
    for header in options.headers:
        # Included from standard input, twice: `#pragma once` must be there, and is no warning in an included file.
        words = compiler.command(options, "-fsyntax-only", *compiler.WARNINGS, *options.flag, "-x", "c++", "-")
        done = subprocess.run(words, input=f"#include <{header}>\n" * 2, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=dict(os.environ, LC_ALL="C"))
        if done.returncode != 0:
            failed.append(header)
            print(f"---- {header} does not compile alone:\n{compiler.first_lines(done.stdout)}\n")
    if failed:
        sys.exit("not self-contained: " + ", ".join(failed))
    print(f"{len(options.headers)} header(s) compile alone")


main()
