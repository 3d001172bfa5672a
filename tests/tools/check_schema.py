#!/usr/bin/env python3
"""check_schema.py [--exit N] SCHEMA -- COMMAND...: what the command prints is JSON that the schema describes."""

import argparse
import json
import subprocess
import sys

import jsonschema


def main():
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exit", type=int, default=0, help="the exit status that the command must have")
    parser.add_argument("schema")
    options, words = parser.parse_args(sys.argv[1:cut]), sys.argv[cut + 1:]
    if not words:
        parser.error("no command after --")

    with open(options.schema, encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)

    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if done.returncode != options.exit:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode}, expected {options.exit}")
    try:
        value = json.loads(done.stdout)
    except json.JSONDecodeError as error:
        sys.exit(f"{' '.join(words)}: not JSON: {error}\n{done.stdout[:400]}")

    errors = sorted(kind(schema).iter_errors(value), key=lambda e: list(map(str, e.absolute_path)))
    for error in errors[:20]:
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
        print(f"${where}: {error.message[:300]}")
    if errors:
        sys.exit(f"{len(errors)} violation(s) of {options.schema}")
    print(f"valid against {options.schema}")


main()
