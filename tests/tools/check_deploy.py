#!/usr/bin/env python3
"""The library as its users get it: one of the ways into a host project, built in a temporary folder and run."""

import argparse
import pathlib
import shlex
import subprocess
import sys
import tempfile


def run(*words, **more):
    words = [str(word) for word in words]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          **more)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(words)} exits with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


class Deploy:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.here = options.source / "tests" / "deploy"

    def installed(self):
        """Install, then move the tree: a package must not remember where it was put or built."""
        first, prefix = self.folder / "first", self.folder / "prefix"
        run(self.options.cmake, "--install", self.options.build, "--prefix", first)
        first.rename(prefix)
        for file in filter(pathlib.Path.is_file, prefix.rglob("*")):
            text = file.read_text(encoding="utf-8", errors="replace")
            for path in (self.options.source, self.options.build, first):
                if str(path) in text:
                    sys.exit(f"installed file {file.relative_to(prefix)} names the folder {path}")
        return prefix

    def build_and_run(self, project, *settings):
        build = self.folder / "build"
        run(self.options.cmake, "-S", self.here / project, "-B", build, "-G", self.options.generator,
            f"-DCMAKE_CXX_COMPILER={self.options.cxx}", "-DCMAKE_BUILD_TYPE=Debug", *settings)
        run(self.options.cmake, "--build", build)
        programs = [f for f in build.rglob("consumer*") if f.is_file() and f.stat().st_mode & 0o100 and not f.suffix]
        if not programs:
            sys.exit("nothing was built")
        for program in programs:
            self.check_output(program)

    def check_output(self, program):
        output = run(program)
        if not output.startswith(f"shardplan {self.options.version}\n"):
            sys.exit(f"{program.name} printed:\n{output}")
        print(f"{program.name}: {output.splitlines()[0]}")

    def find_package(self):
        self.build_and_run("consumer", f"-DCMAKE_PREFIX_PATH={self.installed()}")

    def subdirectory(self):
        self.build_and_run("subdirectory", f"-DSHARDPLAN_SOURCE={self.options.source}")

    def fetchcontent(self):
        self.build_and_run("fetchcontent", f"-DFETCHCONTENT_SOURCE_DIR_SHARDPLAN={self.options.source}")

    def pkgconfig(self):
        folder = self.installed() / "share" / "pkgconfig"
        flags = run("pkg-config", "--cflags", "shardplan", env={"PKG_CONFIG_PATH": str(folder), "PATH": "/usr/bin:/bin"})
        self.compile(*shlex.split(flags))

    def no_exceptions(self):
        self.compile("-fno-exceptions", "-fno-rtti", f"-I{self.options.source}/include")

    def compile(self, *flags):
        program = self.folder / "consumer"
        run(self.options.cxx, "-std=c++20", *flags, self.here / "consumer" / "consumer.cpp", "-o", program)
        self.check_output(program)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("way", choices=["find_package", "subdirectory", "fetchcontent", "pkgconfig", "no_exceptions"])
    for path in ("source", "build"):
        parser.add_argument(f"--{path}", required=True, type=pathlib.Path)
    for text in ("version", "cxx", "cmake", "generator"):
        parser.add_argument(f"--{text}", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        getattr(Deploy(options, pathlib.Path(folder)), options.way)()


main()
