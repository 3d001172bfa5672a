#!/usr/bin/env python3
"""Which header may include what, and what a public header may not contain. Reads text only, compiles nothing."""

import pathlib
import re
import sys

# The rooms from the ground up, and the rooms that each may include besides itself.
EXPR = ["unit", "expr"]
STRATEGY = EXPR + ["model", "device"]
CORE = STRATEGY + ["strategy", "cost", "schedule", "search"]
MAY_INCLUDE = {
    "unit": [],
    "expr": ["unit"],
    "model": EXPR,
    "device": EXPR,
    "strategy": STRATEGY,
    "cost": STRATEGY + ["strategy"],
    "schedule": EXPR,
    "search": EXPR,
    "planner": CORE,
    "io": CORE + ["planner"],
    "testing": CORE + ["planner"],
}
# Headers beside the rooms that every room may include, and those that gather rooms and may include any but io.
GROUND = ["config", "version"]
UMBRELLAS = ["core", "shardplan"]

# What may be included from outside, by the first part of the path; names without a slash are the standard library.
OUTSIDE = {
    "boost/hana": list(MAY_INCLUDE),
    "range/v3": ["planner", "io"],
    "nlohmann/": ["io"],
}
NEVER = {"iostream": "static constructors in every user's translation unit; take a stream as argument"}


def code_lines(text):
    """Line number and text, without comments."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda match: "\n" * match.group(0).count("\n"), text, flags=re.S)
    return enumerate(text.splitlines(), 1)


def room_of(path):
    """'unit' for unit/literals.hpp and for the room's own gathering header unit.hpp."""
    return path.split("/")[0].removesuffix(".hpp")


def problems(root, header):
    name = header.relative_to(root).as_posix()
    room = room_of(name)
    text = header.read_text(encoding="utf-8")
    if room not in MAY_INCLUDE and room not in GROUND + UMBRELLAS:
        yield 1, f"'{room}' is not a room; the rooms are {', '.join(MAY_INCLUDE)}"
        return
    if "#pragma once" not in text:
        yield 1, "no #pragma once"

    for number, line in code_lines(text):
        if re.search(r"^\s*#\s*define\b", line):
            macro = re.search(r"define\s+(\w+)", line).group(1)
            if name != "config.hpp":
                yield number, f"macro {macro}: only config.hpp defines macros"
            elif not macro.startswith("SHARDPLAN_"):
                yield number, f"macro {macro} does not start with SHARDPLAN_"
        # Inside a function it is harmless; only those are indented here, what stands in a namespace is not.
        if re.match(r"using\s+namespace\b", line):
            yield number, "using namespace in a header"
        include = re.search(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if include:
            complaint = bad_include(root, header, room, include.group(1), include.group(2))
            if complaint:
                yield number, complaint


def bad_include(root, header, room, quote, path):
    if quote == '"':
        return f'"{path}": write <shardplan/...>'
    if not path.startswith("shardplan/"):
        if path in NEVER:
            return f"<{path}>: {NEVER[path]}"
        rooms = [rooms for start, rooms in OUTSIDE.items() if path.startswith(start)]
        if rooms:
            return None if room in rooms[0] else f"<{path}> belongs in {', '.join(rooms[0])} only"
        return f"<{path}>: no such dependency" if "/" in path and not path.startswith("experimental/") else None

    target = path.removeprefix("shardplan/")
    if not (root / target).is_file():
        return f"<{path}> does not exist"
    wanted = room_of(target)
    if wanted == room or wanted in GROUND:
        return None
    allowed = CORE + ["planner"] + UMBRELLAS if room in UMBRELLAS else MAY_INCLUDE.get(room, [])
    if wanted not in allowed:
        return f"{room} may not include {wanted} (allowed: {', '.join(allowed) or 'nothing'})"
    return None


def main():
    root = pathlib.Path(sys.argv[1]) / "shardplan"
    headers = sorted(root.rglob("*.hpp"))
    found = [f"{h.relative_to(root.parent)}:{n}: {why}" for h in headers for n, why in problems(root, h)]
    found += [f"{f.relative_to(root.parent)}: not a .hpp file" for f in sorted(root.rglob("*"))
              if f.is_file() and f.suffix != ".hpp"]
    if found:
        sys.exit("\n".join(found))
    print(f"{len(headers)} headers keep to the rooms")


main()
