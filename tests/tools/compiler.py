"""How the checks in this folder call a C++ compiler."""

import argparse
import os
import re
import subprocess

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def arguments(description):
    """An argument parser with what every check needs: a compiler and include folders, the project's own first."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[], help="our own first, then those of dependencies")
    return parser


def is_clang(compiler):
    return "clang" in os.path.basename(compiler)


def command(options, *rest):
    """Compiler, standard, include folders (dependencies as system folders), then the rest."""
    words = [options.compiler, "-std=c++20"]
    for i, folder in enumerate(options.include):
        # The default folder must not be named again: that breaks #include_next.
        if folder and os.path.realpath(folder) != "/usr/include":
            words += ["-I" if i == 0 else "-isystem", folder]
    return words + list(rest)


def run(words, **more):
    """Run with untranslated messages; returns (exit status, stdout and stderr together)."""
    environment = dict(os.environ, LC_ALL="C")
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          env=environment, **more)
    return done.returncode, done.stdout


def first_lines(text, count=25):
    lines = text.splitlines()
    return "\n".join(lines[:count] + ([f"... ({len(lines) - count} more lines)"] if len(lines) > count else []))


def error_lines(text):
    return [line for line in text.splitlines() if re.search(r"\b(fatal )?error: ", line)]
