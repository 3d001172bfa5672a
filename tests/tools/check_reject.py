#!/usr/bin/env python3
"""A source that must not compile, and why.

The source names the reason in comments, `// expect: REGEX` (or `expect-gcc:`, `expect-clang:` where the compilers
differ). All of them must match one and the same line of the compiler's output that reports an error.
Compiled with -DSHARDPLAN_ACCEPT the same source must be accepted, which shows that nothing else is wrong with it.
"""

import re
import sys

import compiler


def main():
    parser = compiler.arguments(__doc__)
    parser.add_argument("source")
    options = parser.parse_args()

    mine, other = ("clang", "gcc") if compiler.is_clang(options.compiler) else ("gcc", "clang")
    with open(options.source, encoding="utf-8") as file:
        wanted = [(kind, text) for kind, text in re.findall(r"^// expect(|-gcc|-clang): *(.+?)\s*$", file.read(), re.M)]
    reasons = [text for kind, text in wanted if kind != "-" + other]
    if not reasons:
        sys.exit(f"{options.source}: no '// expect: REGEX' line for {mine}")

    check = compiler.command(options, "-fsyntax-only", options.source)
    status, output = compiler.run(check)
    if status == 0:
        sys.exit(f"{options.source}: compiles, but must be rejected with {reasons}")
    errors = compiler.error_lines(output)
    found = [line for line in errors if all(re.search(reason, line) for reason in reasons)]
    if not found:
        sys.exit(f"{options.source}: rejected, but no error line matches {reasons}. The error lines:\n"
                 + compiler.first_lines("\n".join(errors) or output))

    status, output = compiler.run(check + ["-DSHARDPLAN_ACCEPT"])
    if status != 0:
        sys.exit(f"{options.source}: the good variant (-DSHARDPLAN_ACCEPT) does not compile:\n"
                 + compiler.first_lines(output))
    print(f"rejected as it should be ({len(errors)} error line(s)):\n{found[0]}")


main()
