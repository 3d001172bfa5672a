#!/usr/bin/env python3
"""A source made of static_asserts: compiling it without a warning is the test; nothing is built."""

import sys

import compiler


def main():
    parser = compiler.arguments(__doc__)
    parser.add_argument("source")
    options = parser.parse_args()
    status, output = compiler.run(compiler.command(options, "-fsyntax-only", *compiler.WARNINGS, options.source))
    if status != 0:
        sys.exit(compiler.first_lines(output))


main()
