#!/usr/bin/env python3
"""The code blocks and links of one Markdown page.

- ```cpp: a whole program. It is compiled and run; a ```text block right after it is what it must print.
- ```cpp fragment: REASON ... is not compiled; the reason is required.
- ```console: lines that start with "$ " are run in the repository with the built programs in the path; the lines that
  follow are what they must print, where a line "..." stands for any number of lines. A trailing backslash continues a
  command. A command must succeed, unless the block is marked ```console exit=N.
- ```sh, ```json, ```cmake and so on are not looked at.
- Relative links, with their #anchors, must lead somewhere.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import compiler


def blocks(text):
    """(line number, info string, body, directly followed by the next block)"""
    found, lines, i = [], text.splitlines(), 0
    while i < len(lines):
        fence = re.match(r"^( *)(`{3,})\s*([^`]*)$", lines[i])
        if not fence:
            i += 1
            continue
        indent, marks, info = fence.groups()
        start, i = i + 1, i + 1
        while i < len(lines) and not re.match(rf"^ *{marks}`*\s*$", lines[i]):
            i += 1
        body = [line.removeprefix(indent) for line in lines[start:i]]
        i += 1
        after = i
        while after < len(lines) and not lines[after].strip():
            after += 1
        adjacent = after < len(lines) and lines[after].lstrip().startswith("```")
        found.append((start, info.strip(), body, adjacent))
    return found


def matches(pattern, lines):
    """Whether the printed lines fit the expected ones, where '...' stands for any number of lines."""
    fits = {0}
    for wanted in pattern:
        if wanted.strip() == "...":
            fits = set(range(min(fits), len(lines) + 1)) if fits else set()
        else:
            fits = {n + 1 for n in fits if n < len(lines) and lines[n].rstrip() == wanted.rstrip()}
    return len(lines) in fits


def show(wanted, got):
    return "expected:\n" + "\n".join(wanted) + "\ngot:\n" + "\n".join(got)


def check_program(options, body, expected, folder):
    source, binary = os.path.join(folder, "program.cpp"), os.path.join(folder, "program")
    pathlib.Path(source).write_text("\n".join(body) + "\n", encoding="utf-8")
    status, output = compiler.run(compiler.command(options, "-Wall", "-Wextra", "-Werror", source, "-o", binary))
    if status != 0:
        return "does not compile:\n" + compiler.first_lines(output)
    done = subprocess.run([binary], cwd=options.root, text=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        return f"exits with {done.returncode}"
    if expected is not None and not matches(expected, done.stdout.splitlines()):
        return show(expected, done.stdout.splitlines())
    return None


def check_console(options, info, body):
    wanted_status = int((re.search(r"exit=(\d+)", info) or [0, 0])[1])
    prompts = []
    for line in body:
        if prompts and not prompts[-1][1] and prompts[-1][0].endswith("\\"):
            prompts[-1][0] = prompts[-1][0][:-1] + line.removeprefix("> ").strip()
        elif line.startswith("$ "):
            prompts.append([line[2:], []])
        elif prompts:
            prompts[-1][1].append(line)
        else:
            return 'the first line of a console block starts with "$ "'
    environment = dict(os.environ, PATH=options.bin + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
    for command, wanted in prompts:
        done = subprocess.run(["bash", "-c", command], cwd=options.root, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        status, output = done.returncode, done.stdout.splitlines()
        if status != wanted_status:
            return f"`{command}` exits with {status}, expected {wanted_status}:\n" + "\n".join(output[:20])
        if not matches(wanted, output):
            return f"`{command}`: " + show(wanted, output)
    return None


def check_blocks(options, text):
    found = blocks(text)
    with tempfile.TemporaryDirectory() as folder:
        for i, (line, info, body, adjacent) in enumerate(found):
            language, _, rest = info.partition(" ")
            complaint = None
            if language == "cpp" and rest.startswith("fragment"):
                if not re.match(r"fragment: *\S+", rest):
                    complaint = "say why this is a fragment: ```cpp fragment: REASON"
            elif language == "cpp" and not any("int main" in each for each in body):
                complaint = "a cpp block is a whole program with int main, or marked ```cpp fragment: REASON"
            elif language == "cpp":
                expected = found[i + 1][2] if adjacent and found[i + 1][1] == "text" else None
                complaint = check_program(options, body, expected, folder)
            elif language == "console":
                complaint = check_console(options, rest, body)
            if complaint:
                yield line, complaint


def without_code(text):
    text = re.sub(r"^( *)(`{3,}).*?^ *\2`*\s*$", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(text):
    """The names that headings get on the common code hosts."""
    names = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    text = re.sub(r"^( *)(`{3,}).*?^ *\2`*\s*$", "", text, flags=re.S | re.M)
    for heading in re.findall(r"^#+ +(.+?)\s*$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number, each = 0, name
        while each in names:
            number += 1
            each = f"{name}-{number}"
        names.add(each)
    return names


def check_links(page, text):
    for number, line in enumerate(without_code(text).splitlines(), 1):
        for link in re.findall(r"\]\(<?([^)\s>]+)>?(?: +\"[^\"]*\")?\)", line):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if not target.exists():
                yield number, f"link to {link}: no such file"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
                yield number, f"link to {link}: no such heading"


def main():
    parser = compiler.arguments(__doc__)
    parser.add_argument("--root", required=True, help="the repository")
    parser.add_argument("--bin", required=True, help="where the built programs are")
    parser.add_argument("page")
    options = parser.parse_args()
    page = pathlib.Path(options.page)
    text = page.read_text(encoding="utf-8")
    found = list(check_links(page, text)) + list(check_blocks(options, text))
    for line, complaint in found:
        print(f"{options.page}:{line}: {complaint}\n")
    sys.exit(1 if found else 0)


main()
