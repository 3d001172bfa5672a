#!/usr/bin/env python3
"""check_cli.py PLANNER: what the command-line planner prints, its exit status, and what it says of bad input."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PLANNER = sys.argv.pop(1)
MODEL = "examples/models/llama-3.1-8b/config.json"
JOB = ["--model", MODEL, "--cluster", "8x8:h100-sxm", "--global-batch", "512", "--seq", "8192"]


def run(*words):
    return subprocess.run([PLANNER, *words], text=True, capture_output=True, stdin=subprocess.DEVNULL)


def replaced(option, value):
    """JOB with another value of an option."""
    words = list(JOB)
    words[words.index(option) + 1] = value
    return words


class Results(unittest.TestCase):
    def json_of(self, *words, status=0):
        done = run(*words, "--json")
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def test_model_counts_exactly(self):
        result = self.json_of("model", "--model", MODEL)
        self.assertEqual(result["parameters"], 8030261248)
        self.assertEqual(sum(layer["count"] * layer["parameters"] for layer in result["layers"]), 8030261248)

    def test_model_of_every_family(self):
        for name, parameters, active, kind in [
                ("mixtral-8x7b", 46702792704, 12879925248, "decoder block, mixture of experts"),
                ("deepseek-v3", 671026419200, 37552297472, "decoder block, latent attention, mixture of experts"),
                ("llama-4-scout", 107769861120, 17172894720, "decoder block, mixture of experts"),
                ("t5-large", 737668096, 737668096, "decoder block, cross attention, plain MLP"),
                ("bert-large", 335141888, 335141888, "encoder block, plain MLP"),
                ("vit-large", 304351232, 304351232, "patch embedding")]:
            with self.subTest(name):
                result = self.json_of("model", "--model", f"examples/models/{name}")
                self.assertEqual((result["parameters"], result["active_parameters"]), (parameters, active))
                for key in ("parameters", "active_parameters"):
                    self.assertEqual(sum(layer["count"] * layer[key] for layer in result["layers"]), result[key])
                self.assertIn(kind, [layer["name"] for layer in result["layers"]])
                self.assertIn(str(parameters), run("model", "--model", f"examples/models/{name}").stdout)

    def test_the_sequence_of_an_image_is_fixed(self):
        self.assertEqual(self.json_of("model", "--model", "examples/models/vit-large")["sequence_length"], 197)
        self.json_of("model", "--model", "examples/models/vit-large", "--seq", "197")

    def test_plans_are_ranked_fit_and_use_all_devices(self):
        result = self.json_of("plan", *JOB, "--top", "20")
        plans = result["plans"]
        self.assertEqual(len(plans), 20)
        times = [plan["step_time_s"] for plan in plans]
        self.assertEqual(times, sorted(times))
        for plan in plans:
            self.assertTrue(plan["fits"])
            self.assertIn(plan["verdict"], ("fits", "tight"))
            self.assertLessEqual(plan["memory"]["peak_bytes"], plan["memory"]["usable_bytes"])
            degrees = plan["plan"]
            self.assertEqual(degrees["tensor"] * degrees["pipeline"] * degrees["data"], 64)
            self.assertEqual(degrees["data"] * degrees["micro_batch"] * plan["micro_batches"], 512)
            self.assertAlmostEqual(sum(plan["time"].values()), plan["step_time_s"], places=9)
            self.assertEqual(max(stage["peak_bytes"] for stage in plan["stages"]), plan["memory"]["peak_bytes"])
        self.assertEqual(result["status"], "optimal")
        counted = sum(item["count"] for item in result["rejected"])
        self.assertLess(counted, result["candidates"])

    def test_estimate_agrees_with_plan(self):
        best = self.json_of("plan", *JOB)["plans"][0]
        degrees = best["plan"]
        words = ["--tp", degrees["tensor"], "--pp", degrees["pipeline"], "--dp", degrees["data"], "--micro-batch",
                 degrees["micro_batch"], "--zero", degrees["zero_stage"], "--recompute", degrees["recompute"]]
        if degrees["sequence_parallel"]:
            words.append("--sp")
        again = self.json_of("estimate", *JOB, *map(str, words))
        self.assertEqual(again["step_time_s"], best["step_time_s"])
        self.assertEqual(again["memory"], best["memory"])

    def test_no_speed_for_a_plan_that_does_not_fit(self):
        result = self.json_of("estimate", *JOB, "--micro-batch", "8", "--zero", "0", status=1)
        self.assertFalse(result["fits"])
        self.assertEqual(result["verdict"], "no")
        for key in ("step_time_s", "tokens_per_s_per_gpu", "mfu", "time"):
            self.assertIsNone(result[key])
        self.assertNotIn("forward_s", result["stages"][0])
        text = run("estimate", *JOB, "--micro-batch", "8", "--zero", "0")
        self.assertEqual(text.returncode, 1)
        self.assertIn("does not fit", text.stdout)
        self.assertNotIn("tokens/s", text.stdout)

    def test_nothing_fits(self):
        words = ["--model", "examples/models/llama-3.1-70b/config.json", "--cluster", "1x1:l4", "--global-batch", "1",
                 "--seq", "8192"]
        result = self.json_of("plan", *words, status=1)
        self.assertEqual(result["plans"], [])
        self.assertEqual(result["status"], "infeasible")
        memory = [item for item in result["rejected"] if item["rule"] == "memory"][0]
        self.assertGreater(memory["missing_bytes"], 0)
        self.assertEqual(result["nearest_misfit"]["missing_bytes"], memory["missing_bytes"])
        self.assertIn("name", result["nearest_misfit"]["largest_term"])
        text = run("plan", *words)
        self.assertEqual(text.returncode, 1)
        self.assertIn("Nothing fits", text.stdout)
        self.assertIn("largest term", text.stdout)

    def test_explain_traces_a_number(self):
        done = run("estimate", *JOB, "--tp", "2", "--explain", "optimizer")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("P_s*e_o/z_o", done.stdout)
        result = self.json_of("estimate", *JOB, "--tp", "2", "--explain", "peak")
        term = result["explained"][0]
        self.assertEqual(term["value"], result["memory"]["peak_bytes"])
        self.assertAlmostEqual(eval(term["with_values"], {"max": max}) / term["value"], 1, places=6)

    def test_every_time_and_memory_item_can_be_explained(self):
        words = ["estimate", *JOB, "--tp", "2", "--pp", "2", "--sp"]
        result = self.json_of(*words)
        for name, value in {**result["time"], **result["memory"]["breakdown"]}.items():
            terms = self.json_of(*words, "--explain", name)["explained"]
            self.assertIn(value, [term["value"] for term in terms], name)
        for name in ("step_time", "mfu", "hfu", "tokens_per_s_per_gpu", "P_s", "A_s", "F_comp"):
            self.assertTrue(self.json_of(*words, "--explain", name)["explained"])
        self.assertEqual(self.json_of(*words, "--explain", "mfu")["explained"][0]["value"], result["mfu"])

    def test_no_speed_is_explained_of_a_plan_that_does_not_fit(self):
        words = ["estimate", *JOB, "--micro-batch", "8", "--zero", "0", "--explain"]
        self.assertEqual(run(*words, "activations").returncode, 1)
        for name in ("step_time", "forward_time", "optimizer_time", "forward_compute"):
            done = run(*words, name)
            self.assertEqual(done.returncode, 2)
            self.assertIn(name, done.stderr)

    def test_assumptions_are_printed_and_can_be_set(self):
        text = run("plan", *JOB).stdout
        for word in ("Assumptions", "reserve", "--policy", "--matmul-efficiency"):
            self.assertIn(word, text)
        slow = self.json_of("estimate", *JOB, "--tp", "2", "--matmul-efficiency", "0.2")
        fast = self.json_of("estimate", *JOB, "--tp", "2", "--matmul-efficiency", "0.8")
        self.assertGreater(slow["step_time_s"], fast["step_time_s"])

    def test_padding_is_said(self):
        words = replaced("--model", "examples/models/gpt2-medium/config.json")
        words[words.index("--seq") + 1] = "1024"
        result = self.json_of("estimate", *words)
        self.assertTrue(any("50257" in note and "50304" in note for note in result["notes"]), result["notes"])

    def test_schedule(self):
        result = self.json_of("schedule", "--name", "1f1b", "--forward", "1,3,1", "--backward", "2,6,2",
                              "--micro-batches", "8")
        self.assertEqual(result["makespan"], 75)
        self.assertEqual(result["bound"], 75)
        self.assertEqual(result["in_flight"], [3, 2, 1])
        self.assertEqual((result["closed_form"], result["kind"]), (78, "upper"))
        self.assertAlmostEqual(result["bubble"], 1 - 8 * 15 / (3 * 75))
        equal = self.json_of("schedule", "--stages", "4", "--micro-batches", "16")
        self.assertEqual((equal["makespan"], equal["closed_form"], equal["kind"]), (57, 57, "exact"))

    def test_schedules_are_compared(self):
        result = self.json_of("schedule", "--stages", "4", "--micro-batches", "16", "--compare")
        found = {each["name"]: each for each in result["schedules"]}
        self.assertEqual(len(found), 12)
        self.assertEqual(found["1f1b"]["makespan"], 57)
        self.assertEqual(found["zb-h1"]["makespan"], 51)
        self.assertEqual(found["interleaved"]["makespan"], 52.5)
        for each in found.values():
            self.assertLessEqual(each["bound"], each["makespan"] + 1e-9)
        odd = self.json_of("schedule", "--stages", "3", "--micro-batches", "4", "--compare")
        refused = {each["name"]: each.get("refusal") for each in odd["schedules"]}
        self.assertIn("even number of devices", refused["dualpipe"])
        self.assertIn("twice as many micro-batches", refused["dualpipe-v"])
        self.assertIsNone(refused["1f1b"])

    def test_pictures_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            trace, gantt = pathlib.Path(folder, "trace.json"), pathlib.Path(folder, "gantt.svg")
            done = run("schedule", "--stages", "4", "--micro-batches", "8", "--trace", trace, "--gantt", gantt)
            self.assertEqual(done.returncode, 0, done.stderr)
            events = json.loads(trace.read_text())["traceEvents"]
            self.assertEqual(sum(event["ph"] == "X" for event in events), 4 * 8 * 2)
            self.assertIn("</svg>", gantt.read_text())
            done = run("plan", *JOB, "--pp", "4", "--trace", trace, "--gantt", gantt)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Simulated pass by pass", done.stdout)
            passes = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
            self.assertEqual(len({event["pid"] for event in passes}), 4)
            self.assertEqual(sorted(pathlib.Path(folder).iterdir()), [gantt, trace])

    def test_measured_rows(self):
        result = self.json_of("fidelity", "--rows", "examples/measured/small.csv")
        sources = {each["source"]: each for each in result["sources"]}
        self.assertEqual(sum(each["rows"] for each in sources.values()), 62)
        for each in sources.values():
            self.assertEqual(each["rows"], each["predicted"] + sum(each["skipped"].values()))
        # A guard: runs of Megatron 0.14 on B200, peak as allocated. Nothing is fitted to them.
        self.assertEqual(sources["simumax"]["memory_rows"], 16)
        self.assertLess(sources["simumax"]["mape_memory"], 0.035)
        self.assertEqual(sources["simumax"]["oom_accuracy"], 1)
        self.assertIsNone(sources["mist_artifact"]["mape_memory"])
        folder = self.json_of("fidelity", "--rows", "examples/measured")
        self.assertEqual(folder["sources"], result["sources"])

    def test_help_and_version(self):
        self.assertEqual(run("--help").returncode, 0)
        self.assertEqual(run("plan", "--help").returncode, 0)
        self.assertRegex(run("--version").stdout, r"^\d+\.\d+\.\d+")
        self.assertIn("h100-sxm", run("devices").stdout)


class BadInput(unittest.TestCase):
    """Exit status 2 and one line that names what is wrong and what would be right."""

    def refuses(self, words, *said):
        done = run(*words)
        self.assertEqual(done.returncode, 2, (words, done.stdout, done.stderr))
        self.assertEqual(done.stdout, "")
        for part in said:
            self.assertIn(part, done.stderr)

    def test_measured_rows_that_cannot_be_read(self):
        text = pathlib.Path("examples/measured/small.csv").read_text()
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.csv"

            def refused(changed, *said):
                file.write_text(changed)
                self.refuses(["fidelity", "--rows", str(file)], "rows.csv", *said)

            refused(text.replace(",tp,", ",tensor,", 1), "without the column tp")
            refused(text.replace(",96,12288,", ",many,12288,", 1), "column layers of row 2", "many", "a number")
            refused(text.replace("\n", ",more\n", 2).replace(",more", "", 1), "row 2", "fields")
            refused(text + 'a"b,c\n', "not CSV")
            self.refuses(["fidelity", "--rows", folder + "/none.csv"], "none.csv", "missing")
            file.unlink()
            self.refuses(["fidelity", "--rows", folder], "without measured rows")

    def test_options(self):
        self.refuses([], "subcommand")
        self.refuses(["plan"], "--")
        self.refuses(["plan", *replaced("--global-batch", "-4")], "--global-batch", "-4", "from 1")
        self.refuses(["plan", *replaced("--global-batch", "many")], "--global-batch", "many")
        self.refuses(["plan", *replaced("--seq", "0")], "--seq", "0", "from 1")
        self.refuses(["plan", *replaced("--seq", "8192.5")], "--seq", "8192.5")
        self.refuses(["plan", *replaced("--seq", "99999999999999999999999")], "--seq")
        self.refuses(["plan", *JOB, "--precision", "int3"], "--precision", "int3", "bf16, fp16, fp32, fp8")
        self.refuses(["plan", *JOB, "--policy", "magic"], "--policy", "magic", "megatron, fsdp, mixed")
        self.refuses(["plan", *JOB, "--recompute", "some"], "--recompute", "some", "none, selective, operators, full")
        self.refuses(["plan", *JOB, "--sp", "maybe"], "--sp", "maybe", "on or off")
        self.refuses(["plan", *JOB, "--top", "0"], "--top", "0", "from 1")
        self.refuses(["plan", *JOB, "--reserve-gib", "nan"], "--reserve-gib", "nan")
        self.refuses(["plan", *JOB, "--matmul-efficiency", "1.5"], "--matmul-efficiency", "1.5", "to 1")
        self.refuses(["plan", *JOB, "--tp", "3"], "--tp", "3", "divide the 64 devices")
        self.refuses(["plan", *JOB, "--no-such-option"], "--no-such-option")
        self.refuses(["guess"], "guess", "plan, estimate, model, schedule, fidelity, devices")
        pipeline = ["schedule", "--stages", "4", "--micro-batches", "8"]
        self.refuses(["schedule", "--stages", "4"], "--micro-batches")
        self.refuses(["schedule", "--micro-batches", "8"], "--stages")
        self.refuses([*pipeline, "--name", "guess"], "--name", "guess", "1f1b", "dualpipe")
        self.refuses([*pipeline, "--forward", "1,2,3"], "--forward", "3", "4 stages")
        self.refuses([*pipeline, "--forward", "-1"], "--forward", "-1")
        self.refuses([*pipeline, "--weight-gradient", "5"], "--weight-gradient", "5", "backward")
        self.refuses(["schedule", "--stages", "0", "--micro-batches", "8"], "--stages", "0", "from 1")
        self.refuses(["schedule", "--stages", "4096", "--micro-batches", "1000000"], "4 million")
        self.refuses(["schedule", "--stages", "3", "--micro-batches", "8", "--name", "dualpipe"], "DualPipe", "even")
        self.refuses(["schedule", "--stages", "64", "--micro-batches", "60000", "--forwards", "64"], "4 million")
        self.refuses([*pipeline, "--send", "nan"], "--send", "nan")
        self.refuses([*pipeline, "--compare", "--name", "1f1b"], "--name")
        self.refuses([*pipeline, "--gantt", "/no/such/folder/x.svg"], "--gantt", "/no/such/folder/x.svg")
        for word in ("0100", "0x40", "1e3", "4611686018427387904"):
            self.refuses(["plan", *replaced("--global-batch", word)], "--global-batch", word)
        self.refuses(["plan", *JOB, "--micro-batch", "1024"], "--micro-batch", "1024", "512")
        self.refuses(["plan", *JOB, "--zero", "7"], "--zero", "7", "0, 1, 2 or 3")
        self.refuses(["plan", *JOB, "--tp", "8", "--pp", "16"], "64 devices", "tp * pp * dp")
        self.refuses(["estimate", *JOB, "--zero", "-3"], "--zero", "-3")
        self.refuses(["estimate", *JOB, "--dp", "0"], "--dp", "0")
        self.refuses(["estimate", *JOB, "--weight-bytes", "0"], "--weight-bytes", "0", "64")
        self.refuses(["estimate", *JOB, "--matmul-efficiency", "0"], "--matmul-efficiency", "0", "to 1")
        for command in ("plan", "estimate"):
            self.refuses([command, *replaced("--cluster", "8x8:v100-sxm-32gb")], "bf16", "fp16")

    def test_errors_are_one_line(self):
        for words in (["plan"], ["guess"], ["plan", *JOB, "--bogus"], ["estimate", *JOB, "--tp", "3"]):
            done = run(*words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        self.refuses(["estimate", *JOB, "--explain", "nonsense"], "--explain", "nonsense", "peak")

    def test_illegal_layouts_name_the_rule_and_the_numbers(self):
        cases = [
            (["--tp", "8", "--pp", "3"], "does not divide the 64 devices"),
            (["--tp", "2", "--pp", "2", "--dp", "8"], "device-count"),
            (["--tp", "16"], "key-value-heads-divisible-by-tensor"),
            (["--pp", "64"], "layers-divisible-by-pipeline"),
            (["--micro-batch", "7"], "batch-divisible"),
            (["--sp"], "sequence-parallel-needs-tensor"),
            (["--zero", "3"], "zero-stage-offered"),
        ]
        for words, rule in cases:
            self.refuses(["estimate", *JOB, *words], rule)
        self.refuses(["estimate", *replaced("--seq", "8191"), "--tp", "2", "--sp"], "8191", "sequence-divisible-by-tensor")
        self.refuses(["estimate", *replaced("--cluster", "16x4:h100-sxm"), "--tp", "8"], "node of 4", "1, 2, 4")
        self.refuses(["estimate", *replaced("--cluster", "8x8:a100-sxm-80gb"), "--precision", "fp8"], "fp8",
                     "number-format-supported")

    def test_mixtures_are_planned_without_expert_parallelism(self):
        words = replaced("--model", "examples/models/mixtral-8x7b")
        plan = Results.json_of(self, "plan", *words, "--top", "1")
        self.assertTrue(plan["fits"])
        self.assertTrue(any("expert parallelism is not planned" in note for note in plan["notes"]))
        config = json.loads(pathlib.Path("examples/models/deepseek-v3/config.json").read_text())
        with tempfile.TemporaryDirectory() as folder:
            # The first block is the one that is explained.
            for name, symbol, changes in [("dense", "r_q", {}), ("routed", "f_e", {"first_k_dense_replace": 0}),
                                          ("direct", "d_n", {"q_lora_rank": None}),
                                          ("direct-routed", "f_e", {"q_lora_rank": None, "first_k_dense_replace": 0}),
                                          ("mixtral", "f_e", None)]:
                file = pathlib.Path(folder) / f"{name}.json"
                file.write_text(json.dumps({**config, **changes}) if changes is not None else
                                pathlib.Path("examples/models/mixtral-8x7b/config.json").read_text())
                self.explains_parameters(file, symbol)

    def explains_parameters(self, file, symbol):
        for kernel in ("flash", "plain"):
            words = ["--model", str(file), "--cluster", "256x8:h100-sxm", "--global-batch", "4096",
                     "--seq", "4096", "--tp", "8", "--sp", "--zero", "3", "--policy", "fsdp", "--kernel", kernel,
                     "--explain", "parameters"]
            done = run("estimate", *words)
            self.assertIn(symbol, done.stdout, (file, done.stderr))

    def test_models_that_can_only_be_counted(self):
        for command in ("plan", "estimate"):
            for name, missing in [("t5-large", "cross attention"), ("bert-large", "token types"),
                                  ("vit-large", "patch embedding")]:
                words = replaced("--model", f"examples/models/{name}")
                self.refuses([command, *words], name, "not planned yet", missing)
        self.refuses(["model", "--model", "examples/models/vit-large", "--seq", "4096"], "--seq is 4096", "197")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "config.json"
            good = json.loads(pathlib.Path(MODEL).read_text())

            def written(text):
                file.write_text(text)
                return ["model", "--model", str(file)]

            self.refuses(["model", "--model", str(file.with_name("absent.json"))], "absent.json")
            self.refuses(written(""), "config.json", "empty")
            self.refuses(written("{"), "config.json", "line 1")
            self.refuses(written("[1]"), "config.json", "object")
            for key, value in [("num_attention_heads", -4), ("num_hidden_layers", "many"), ("hidden_size", 4096.5),
                               ("vocab_size", 1e30), ("intermediate_size", None)]:
                self.refuses(written(json.dumps({**good, key: value})), "config.json", key, "must be")
            missing = dict(good)
            del missing["num_hidden_layers"]
            self.refuses(written(json.dumps(missing)), "config.json", "num_hidden_layers", "missing")
            self.refuses(written(json.dumps({**good, "model_type": "mamba"})), "model_type", "mamba", "llama")
            self.refuses(written(json.dumps({**good, "model_type": "olmoe"})), "olmoe", "not supported yet")
        self.refuses(["plan", *replaced("--cluster", "8x8:h100-sxn")], "h100-sxn", "h100-sxm")
        self.refuses(["plan", *replaced("--cluster", "8:h100-sxm")], "8:h100-sxm")
        self.refuses(["plan", *replaced("--cluster", "0x8:h100-sxm")], "0")
        self.refuses(["plan", *replaced("--cluster", "8x8:h100-sxm:carrier-pigeon")], "carrier-pigeon")


if __name__ == "__main__":
    unittest.main()
