"""What chidev reads out of `chidev.toml` and the person's own file, and how it refuses what they may not hold."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chidev.app.ports.settings import (
    CheckSetting,
    ExamplesSettings,
    ExternalSettings,
    KnownCheck,
    Layout,
    MeasureSettings,
    Settings,
    SettingsError,
    SimSettings,
)
from chidev.domain.rule import Level, Moment
from chidev.infra import settings, toml_file

KNOWN = (
    KnownCheck("cite.stale"),
    KnownCheck("pin.stale", params={"limit": 3, "ratio": 0.5, "strict": True, "word": "x"}),
    KnownCheck("own.must", mandatory=True),
)
EXTERNAL = '[external."ext.a"]\ncommand = "./a"\nmoments = ["check"]\nreads = ["contracts"]\n'
SIM = '[measure.sim.shop]\ninterpreter = ["sh"]\nprogram = ["sh", "{tree}/x.sh"]\n'
EXAMPLES = '[measure.examples.shop]\nprogram = ["./out/shop"]\n'
LAYOUT = '[[measure.layout]]\ncontext = "shop"\ninterface = "limit"\npath = "limit.sh"\n'


def load(
    root: Path, project: str | bytes = "", person: str | bytes | None = None, store: str | None = None
) -> Settings:
    """The settings of a project with these two files."""
    write(root / "chidev.toml", project)
    if person is not None:
        write(root / ".chidev" / "chidev.local.toml", person)
    return settings.load(str(root), store, str(root / "sub"), KNOWN)


def write(path: Path, text: str | bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def measure(root: Path, text: str) -> MeasureSettings:
    loaded = load(root, text).measure
    assert loaded is not None
    return loaded


def refusal(root: Path, project: str | bytes = "", person: str | bytes | None = None, store: str | None = None) -> str:
    """The message, of which every test may say that it is one line."""
    with pytest.raises(SettingsError) as caught:
        load(root, project, person, store)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@contextmanager
def without_root() -> Iterator[None]:
    """As a user whom a mode can keep out of a file."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


# ---------------------------------------------------------------- the file


def test_an_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings(root=str(tmp_path), store_path=f"{tmp_path}/.chidev/chidev.db")


def test_a_file_of_comments_gives_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path, "# nothing\n\r\n", "# nothing") == Settings(str(tmp_path), f"{tmp_path}/.chidev/chidev.db")


def test_an_empty_file_loads_no_reader_of_toml(tmp_path: Path) -> None:
    """Start-up time: most projects of a test run have an empty file."""
    write(tmp_path / "chidev.toml", "\n")
    heavy = "tomllib rapidfuzz chidev.infra.toml_table chidev.app.faults"
    program = (
        "import sys; from chidev.infra import project_root, settings\n"
        "settings.load(project_root.find_root(sys.argv[1]), None, '/', ())\n"
        "print(sorted(sys.modules.keys() & set(sys.argv[2].split())))"
    )

    run = subprocess.run(
        [sys.executable, "-c", program, tmp_path, heavy], capture_output=True, text=True, check=True, cwd=os.getcwd()
    )

    assert run.stdout == "[]\n"


def test_a_good_file_loads_no_reader_of_close_names(tmp_path: Path) -> None:
    write(tmp_path / "chidev.toml", EXTERNAL + SIM + LAYOUT)
    program = (
        "import sys; from chidev.infra import settings\n"
        "settings.load(sys.argv[1], None, '/', ())\n"
        "print([name for name in ('rapidfuzz', 'chidev.app.faults') if name in sys.modules])"
    )

    run = subprocess.run(
        [sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True, cwd=os.getcwd()
    )

    assert run.stdout == "[]\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("[store\n", "chidev.toml: line 1, column 7: "),
        ('[store]\npath = "a"\npath = "b"\n', "line 3, column 11: "),
        ("[store]\npath =", "line 2, column 7: "),
        ('[store]\npath = """a\n', "line 3, column 1: "),
        (b"a=1\x00\n", "line 1, column 4: "),
        ("# ä\r[store]\n", "line 1, column 4: "),
        (b"#\n# caf\xe9\n", "chidev.toml: line 2, byte 6: is not UTF-8"),
        ("[store]\n".encode("utf-16"), "is not UTF-8"),
        (b"\xef\xbb\xbf[store]\n", "chidev.toml: begins with a byte order mark"),
        ("a=" + "[" * 100_000, "nested too deeply"),
        ("a = " + "1" * 5000, "too many digits"),
        (b"#" * (toml_file.LARGEST + 1), "chidev.toml: is over 8 MiB"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_toml_is_refused_with_its_place(tmp_path: Path, data: str | bytes, said: str) -> None:
    assert said in refusal(tmp_path, data)


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    load(tmp_path, b"#" * toml_file.LARGEST)


def test_a_huge_file_is_refused_without_being_parsed(tmp_path: Path) -> None:
    with (tmp_path / "chidev.toml").open("wb") as file:
        file.truncate(50_000_000)

    with pytest.raises(SettingsError, match=r"^chidev\.toml: is over 8 MiB"):
        settings.load(str(tmp_path), None, str(tmp_path), KNOWN)


@pytest.mark.parametrize("name", [settings.PROJECT_FILE, settings.PERSON_FILE])
@pytest.mark.parametrize("kind", ["directory", "fifo", "loop", "dangling"])
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, name: str, kind: str) -> None:
    load(tmp_path, "", "")
    path = tmp_path / name
    path.unlink()
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(path.name if kind == "loop" else "nothing")

    with pytest.raises(SettingsError, match=f"^{name}: "):
        settings.load(str(tmp_path), None, str(tmp_path), KNOWN)


@pytest.mark.parametrize("name", [settings.PROJECT_FILE, settings.PERSON_FILE])
def test_a_file_that_may_not_be_read_is_refused(name: str) -> None:
    with tempfile.TemporaryDirectory() as directory:  # tmp_path is below a directory that others may not enter
        root = Path(directory)
        load(root, "", "")
        for path in (root, root / ".chidev"):
            path.chmod(0o755)
        (root / name).chmod(0o200)

        with without_root(), pytest.raises(SettingsError, match=f"^{name}: cannot be read: Permission denied"):
            settings.load(str(root), None, str(root), KNOWN)


def test_a_project_whose_file_went_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^chidev\.toml: is not there"):
        settings.load(str(tmp_path), None, str(tmp_path), KNOWN)


def test_a_file_in_the_place_of_the_persons_directory_is_no_setting(tmp_path: Path) -> None:
    write(tmp_path / ".chidev", "")

    assert load(tmp_path).person_checks == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[stores]\npath = "x"\n', "chidev.toml: [stores] is no table of this file; did you mean `store`?"),
        ("colour = 1\n", "[colour] is no table of this file; there are `store`, `checks`, `external`, `measure`"),
        ("store = 1\n", "[store] is a whole number, expected a table"),
        ("[[measure]]\n", "[measure] is an array, expected a table"),
        ('["a\\nb"]\n', '["a\\nb"] is no table'),
    ],
)
def test_what_is_no_table_of_the_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert said in refusal(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (EXTERNAL, "[external] may not stand in this file, only in `chidev.toml`"),
        ('[measure]\nbuild = ["true"]\n', "[measure] may not stand in this file"),
        ("[mine]\n", "[mine] is no table of this file; there are `store`, `checks`"),
        ('[store]\nwhere = "x"\n', "[store] where is not a setting"),
        ("=", "line 1, column 1"),
    ],
)
def test_the_persons_file_holds_store_and_checks_only(tmp_path: Path, text: str, said: str) -> None:
    message = refusal(tmp_path, "", text)

    assert message.startswith(".chidev/chidev.local.toml: ")
    assert said in message


def test_every_problem_of_a_file_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    text = '[store]\npath = 1\n[checks."cite.stal"]\n[measure]\nbudget = 3601\nbuild = "true"\n' + SIM + "seed = 1\n"

    assert refusal(tmp_path, text) == (
        "chidev.toml: [store] path is a whole number, expected a text; "
        '[checks] "cite.stal" is the id of no check; did you mean `cite.stale`?; '
        "[measure] build is a text, expected an array of texts; "
        "[measure] budget is 3601, expected seconds over 0 and at most 3600; "
        "[measure] sim.shop.seed is not a setting; did you mean `seeds`?"
    )


def test_of_many_problems_ten_are_told_and_the_others_counted(tmp_path: Path) -> None:
    message = refusal(tmp_path, "[measure]\n" + "".join(f"k{n} = 1\n" for n in range(15)))

    assert message.count("is not a setting") == 10
    assert message.endswith("; and 5 more")


# ---------------------------------------------------------------- [store]


@pytest.mark.parametrize(
    ("project", "person", "argument", "path"),
    [
        ("", None, None, "ROOT/.chidev/chidev.db"),
        ('[store]\npath = "var/p.db"', None, None, "ROOT/var/p.db"),
        ('[store]\npath = "var/p.db"', '[store]\npath = "own.db"', None, "ROOT/own.db"),
        ('[store]\npath = "var/p.db"', '[store]\npath = "own.db"', "a.db", "ROOT/sub/a.db"),
        ('[store]\npath = "var/p.db"', "[store]", None, "ROOT/var/p.db"),
        ('[store]\npath = "/abs/c.db"', None, None, "/abs/c.db"),
        ('[store]\npath = "../beside/c.db"', None, None, "ROOT/../beside/c.db"),
        ("", None, "/abs/a.db", "/abs/a.db"),
        ("", None, "../a.db", "ROOT/sub/../a.db"),
        ("[store]", None, None, "ROOT/.chidev/chidev.db"),
    ],
)
def test_the_store_is_the_arguments_else_the_persons_else_the_projects(
    tmp_path: Path, project: str, person: str | None, argument: str | None, path: str
) -> None:
    assert load(tmp_path, project, person, argument).store_path == path.replace("ROOT", str(tmp_path))


def test_a_link_in_the_path_of_the_store_is_not_resolved(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "var").symlink_to("real")

    assert load(tmp_path, '[store]\npath = "var/p.db"').store_path == f"{tmp_path}/var/p.db"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[store]\npaht = "x"', "chidev.toml: [store] paht is not a setting; did you mean `path`?"),
        ("[store]\npath = 5", "[store] path is a whole number, expected a text"),
        ('[store]\npath = ""', "[store] path is empty"),
        ('[store]\npath = "a\\u0000b"', "[store] path holds the character NUL"),
        ("[store]\npath.x = 1", "[store] path is a table, expected a text"),
    ],
)
def test_a_store_setting_that_cannot_be_used_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert said in refusal(tmp_path, text)


@pytest.mark.parametrize("store", ["", "a\0b"])
def test_a_store_argument_that_cannot_be_used_is_refused(tmp_path: Path, store: str) -> None:
    assert refusal(tmp_path, store=store).startswith("--store: ")


def test_a_setting_is_refused_also_when_the_argument_goes_before_it(tmp_path: Path) -> None:
    assert "[store] path" in refusal(tmp_path, "[store]\npath = 5", store="a.db")


# ---------------------------------------------------------------- [checks]


def test_levels_and_parameters_are_read_from_both_files(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        '[checks."cite."]\nlevel = "note"\n[checks."pin.stale"]\nparams = { limit = 5, word = "y" }\n',
        '[checks."cite.stale"]\nlevel = "off"\n',
    )

    assert loaded.project_checks == (
        CheckSetting("cite.", Level.NOTE),
        CheckSetting("pin.stale", None, {"limit": 5, "word": "y"}),
    )
    assert loaded.person_checks == (CheckSetting("cite.stale", Level.OFF),)


@pytest.mark.parametrize(
    "selector",
    [
        "mutation.",
        "sim.finding",
        "cr.out-of-frame",
        "tree.",
        "tree.code-moved",
        "examples.",
        "measure.failed",
        "judged.",
        "crux.policy-line-gone",
        "ext.",
        "own.",
        "own.must",
    ],
)
def test_a_check_of_a_later_release_can_be_set(tmp_path: Path, selector: str) -> None:
    loaded = load(tmp_path, f'[checks."{selector}"]\nlevel = "error"\n')

    assert loaded.project_checks == (CheckSetting(selector, Level.ERROR),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[checks."cite.stal"]', '[checks] "cite.stal" is the id of no check; did you mean `cite.stale`?'),
        ('[checks."cit."]', '[checks] "cit." is a family that no check is of; did you mean `cite.`'),
        ('[checks."cite"]', "[checks] cite is the id of no check; did you mean `cite.`"),
        ('[checks."cr.parent-open"]\nlevel = "off"', '"cr.parent-open" is the id of no check'),
        ('[checks.""]', '[checks] "" is the id of no check'),
        ('[checks."."]', '[checks] "." is a family that no check is of'),
        ('[checks."CITE.STALE"]', "did you mean `cite.stale`?"),
        ('[checks.cite.stale]\nlevel = "off"', 'an id is written in quotes: [checks."cite.stale"]'),
        ('[checks."cite.stale"]\nlevel = "loud"', "is `loud`, expected one of `off`, `note`, `warning`, `error`"),
        ('[checks."cite.stale"]\nlevel = 2', "level is a whole number, expected a text"),
        ('[checks."cite.stale"]\nlevl = "off"', '"cite.stale".levl is not a setting; did you mean `level`?'),
        ('[checks]\n"cite.stale" = "note"', '[checks] "cite.stale" is a text, expected a table'),
        ('[checks."ext.none"]', '"ext.none" is the id of no check'),
        (
            '[checks."own.must"]\nlevel = "warning"',
            '"own.must".level is `warning`; this check always speaks at `error`',
        ),
        ('[checks."sim.nondeterministic"]\nlevel = "off"', "this check always speaks at `error`"),
        ('[checks."cite.stale"]\nparams = 1', "params is a whole number, expected a table"),
        ('[checks."cite.stale".params]\nx = 1', '"cite.stale".params.x is no parameter of it'),
        ('[checks."pin.stale".params]\nlimt = 1', "limt is no parameter of it; did you mean `limit`?"),
        ('[checks."pin.stale".params]\nlimit = true', "limit is a truth value, but of pin.stale it is a whole number"),
        ('[checks."pin.stale".params]\nstrict = 1', "strict is a whole number, but of pin.stale it is a truth value"),
        ('[checks."pin.stale".params]\nratio = 1', "ratio is a whole number, but of pin.stale it is a number"),
        ('[checks."pin.".params]\nword = 1', "word is a whole number, but of pin.stale it is a text"),
        ('[checks."pin.stale".params]\nword = ["x"]', "word is an array, expected a truth value, a number or a text"),
        ('[checks."pin.stale".params]\nratio = nan', "ratio is nan, expected a number that JSON can write"),
        ('[checks."pin.stale".params]\nlimit = 9223372036854775808', "limit is a number of more than 64 bits"),
    ],
)
@pytest.mark.parametrize("person", [False, True])
def test_a_check_setting_that_fits_no_check_is_refused(tmp_path: Path, text: str, said: str, person: bool) -> None:
    message = refusal(tmp_path, *(("", text) if person else (text,)))

    assert message.startswith(".chidev/chidev.local.toml: " if person else "chidev.toml: ")
    assert said in message


@pytest.mark.parametrize("text", ['[checks."own."]\nlevel = "off"', '[checks."own.must"]\nlevel = "error"'])
def test_a_mandatory_check_may_be_set_with_its_family_or_to_error(tmp_path: Path, text: str) -> None:
    assert len(load(tmp_path, text).project_checks) == 1


# ---------------------------------------------------------------- [external]


def test_a_registration_is_read_whole(tmp_path: Path) -> None:
    text = """[external."ext.contract-consistency"]
        command = "./tools/check-contract"
        args = ["$HOME; echo x", ""]
        moments = ["edit", "check", "edit"]
        timeout = 1.5
        reads = ["contracts", "cruxes"]
        gate = true
        [external."ext.contract-consistency".params]
        strict = true
    """

    assert load(tmp_path, text).external == (
        ExternalSettings(
            id="ext.contract-consistency",
            command="./tools/check-contract",
            args=("$HOME; echo x", ""),
            moments=(Moment.EDIT, Moment.CHECK),
            timeout_s=1.5,
            reads=("contracts", "cruxes"),
            gate=True,
            params={"strict": True},
        ),
    )


def test_what_a_registration_leaves_out_has_a_default(tmp_path: Path) -> None:
    assert load(tmp_path, EXTERNAL).external == (
        ExternalSettings("ext.a", "./a", (Moment.CHECK,), ("contracts",), (), 10.0, False, {}),
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("colour = 1", '[external] "ext.a".colour is not a setting'),
        ("arg = []", "arg is not a setting; did you mean `args`?"),
        ("command = 1", "command is a whole number, expected a text"),
        ('command = ""', "command is empty"),
        ('command = ["./a"]', "command is an array, expected a text"),
        ('args = "x"', "args is a text, expected an array of texts"),
        ("args = [1]", "args[0] is a whole number, expected a text"),
        ("reads = []", "reads is empty"),
        ('reads = ["contracts", "code"]', "reads[1] is `code`, expected one of `contracts`"),
        ("moments = []", "moments is empty"),
        ('moments = ["deploy"]', "moments[0] is `deploy`, expected one of `edit`, `pin`, `resolve`, `check`"),
        ('moments = ["put"]', "moments[0] is `put`, which is called `edit` now"),
        ('hooks = ["check"]', "hooks is called `moments` now"),
        ("timeout = 0", "timeout is 0, expected seconds over 0"),
        ("timeout = -1", "timeout is -1, expected seconds over 0"),
        ("timeout = true", "timeout is a truth value, expected a number of seconds"),
        ('gate = "yes"', "gate is a text, expected true or false"),
        ("gate = 1", "gate is a whole number, expected true or false"),
        ("params = { list = [1] }", "params.list is an array"),
        ("params = { at = 2024-01-01 }", "params.at is a date or a time"),
    ],
)
def test_a_registration_with_what_it_may_not_have_is_refused(tmp_path: Path, line: str, said: str) -> None:
    key = line.split(" = ", maxsplit=1)[0]
    kept = [one for one in EXTERNAL.splitlines() if not one.startswith(f"{key} = ")]

    assert said in refusal(tmp_path, "\n".join([*kept, line]))


@pytest.mark.parametrize("key", ["command", "moments", "reads"])
def test_a_registration_that_is_not_whole_is_refused(tmp_path: Path, key: str) -> None:
    text = "\n".join(line for line in EXTERNAL.splitlines() if not line.startswith(key))

    assert refusal(tmp_path, text) == f'chidev.toml: [external] "ext.a".{key} is missing'


def test_a_registration_in_the_old_words_is_told_of_the_new_one_alone(tmp_path: Path) -> None:
    message = refusal(tmp_path, EXTERNAL.replace("moments", "hooks"))

    assert message == 'chidev.toml: [external] "ext.a".hooks is called `moments` now'


@pytest.mark.parametrize("id_", ["lint.a", "ext.", "ext.A b", "ext..a", "ext", "", "ext.a\\n"])
def test_an_external_id_is_ext_and_words(tmp_path: Path, id_: str) -> None:
    assert "expected an id as" in refusal(tmp_path, EXTERNAL.replace("ext.a", id_))


def test_the_policy_may_set_what_is_registered_in_the_type_it_has(tmp_path: Path) -> None:
    text = EXTERNAL + '[external."ext.a".params]\nlimit = 3\n'

    loaded = load(tmp_path, text, '[checks."ext.a"]\nlevel = "off"\nparams = { limit = -5 }\n')

    assert loaded.person_checks == (CheckSetting("ext.a", Level.OFF, {"limit": -5}),)
    assert "limit is a text" in refusal(tmp_path, text + '[checks."ext.a".params]\nlimit = "5"\n')
    assert "other is no parameter" in refusal(tmp_path, text + '[checks."ext.a".params]\nother = 5\n')


@pytest.mark.parametrize("level", ["off", "note", "warning"])
@pytest.mark.parametrize("person", [False, True])
def test_a_gate_is_not_lowered(tmp_path: Path, level: str, person: bool) -> None:
    gate, setting = EXTERNAL + "gate = true\n", f'[checks."ext.a"]\nlevel = "{level}"\n'

    assert "always speaks at `error`" in refusal(tmp_path, *((gate, setting) if person else (gate + setting,)))


# ---------------------------------------------------------------- [measure]


def test_an_empty_measure_table_has_every_default(tmp_path: Path) -> None:
    assert measure(tmp_path, "[measure]\n") == MeasureSettings()
    assert load(tmp_path, "[store]\n").measure is None


def test_the_example_of_the_specification_is_read_whole(tmp_path: Path) -> None:
    text = """[measure]
        build = ["cargo", "build", "--quiet", "--tests"]
        test  = ["cargo", "test", "--quiet"]
        copy_exclude = [".git", "target", ".chidev"]
        env = { CARGO_TARGET_DIR = "{run}/target" }
        timeout = 31
        baseline_timeout = 601
        budget = 901
        max_mutants = 41
        seed = 1
        operators = ["rel", "eq"]
        [measure.mutants]
        rust = ["chidev", "provider", "mutants-rust"]
        [measure.items]
        rust = ["chidev", "provider", "items-rust"]
        [[measure.layout]]
        context = "inventory"
        interface = "stock"
        lang = "rust"
        path = "src/stock.rs"
        [[measure.layout]]
        context = "inventory"
        harness = "stock-tests"
        path = "tests/stock.rs"
        [measure.sim.ledger]
        interpreter = ["python3"]
        program = ["python3", "{tree}/bank.py"]
        seeds = 51
        sample = 7
        timeout = 61
        budget = 601
        [measure.examples.tally]
        program = ["./run.sh", "--plain"]
        timeout = 11
        budget = 602
    """

    assert measure(tmp_path, text) == MeasureSettings(
        build=("cargo", "build", "--quiet", "--tests"),
        test=("cargo", "test", "--quiet"),
        copy_exclude=(".git", "target", ".chidev"),
        env={"CARGO_TARGET_DIR": "{run}/target"},
        timeout_s=31.0,
        baseline_timeout_s=601.0,
        budget_s=901.0,
        max_mutants=41,
        seed=1,
        operators=("rel", "eq"),
        mutants={"rust": ("chidev", "provider", "mutants-rust")},
        items={"rust": ("chidev", "provider", "items-rust")},
        layout=(
            Layout("inventory", "src/stock.rs", interface="stock", lang="rust"),
            Layout("inventory", "tests/stock.rs", harness="stock-tests"),
        ),
        sim={"ledger": SimSettings(("python3",), ("python3", "{tree}/bank.py"), 51, 7, 61.0, 601.0)},
        examples={"tally": ExamplesSettings(("./run.sh", "--plain"), 11.0, 602.0)},
    )


def test_a_sim_and_examples_have_defaults(tmp_path: Path) -> None:
    read = measure(tmp_path, SIM + EXAMPLES)

    assert read.sim == {"shop": SimSettings(("sh",), ("sh", "{tree}/x.sh"), 50, 6, 60.0, 600.0)}
    assert read.examples == {"shop": ExamplesSettings(("./out/shop",), 10.0, 600.0)}


@pytest.mark.parametrize(
    "text",
    [
        '[measure.items]\nsh = ["cat"]\n' + LAYOUT + 'lang = "sh"\n',
        '[measure.mutants]\nsh = ["cat"]\n' + LAYOUT + 'lang = "sh"\n',
        LAYOUT,
        LAYOUT + LAYOUT.replace("interface", "harness"),
        LAYOUT + LAYOUT.replace("shop", "other"),
        LAYOUT.replace("limit.sh", "..limit.sh"),
        LAYOUT.replace("limit.sh", "./a/.../b c.sh"),
        "[measure]\ncopy_exclude = []\n",
        '[measure]\ncopy_exclude = ["target/"]\n',
        "[measure]\nbudget = 3600\nseed = 9223372036854775807\nmax_mutants = 1\ntimeout = 0.5\n",
        '[measure]\nenv = { A = "{works}/{x}/{}", B = "{run}{tree}", C = "", "a-b" = "x" }\n',
        '[measure]\noperators = ["own-class"]\n',
        SIM + "seeds = 10000\nsample = 1000\nbudget = 3600\n",
        SIM + "seeds = 1\nsample = 0\n",
        SIM.replace("{tree}", "{other}"),
        EXAMPLES.replace("./out", "{run}/{tree}"),
        "[measure]\nenv = {}\nmutants = {}\nitems = {}\nlayout = []\nsim = {}\nexamples = {}\n",
    ],
)
def test_what_a_measure_table_may_hold_is_taken(tmp_path: Path, text: str) -> None:
    measure(tmp_path, text)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("parallel = 2", "[measure] parallel is not a setting; there are `baseline_timeout`, `budget`, `build`"),
        ("timeouts = 3", "[measure] timeouts is not a setting; did you mean `timeout`?"),
        ('build = "true"', "[measure] build is a text, expected an array of texts"),
        ("build = []", "[measure] build is empty"),
        ('build = ["true", ""]', "[measure] build[1] is empty"),
        ("test = [1]", "[measure] test[0] is a whole number, expected a text"),
        ('test = ["a\\u0000"]', "[measure] test[0] holds the character NUL"),
        ("operators = []", "[measure] operators is empty"),
        ('operators = "rel"', "[measure] operators is a text, expected an array of texts"),
        ('copy_exclude = ["../x"]', "[measure] copy_exclude[0] is `../x`, a path with a part `..`"),
        ('copy_exclude = ["/x"]', "[measure] copy_exclude[0] is the absolute path `/x`"),
        ('copy_exclude = ["."]', "[measure] copy_exclude[0] is `.`, the root itself"),
        ("env = []", "[measure] env is an array, expected a table"),
        ("env = { A = 1 }", "[measure] env.A is a whole number, expected a text"),
        ('env = { "A=B" = "x" }', "[measure] env.\"A=B\" has the character '='"),
        ('env = { "" = "x" }', '[measure] env."" is empty'),
        ("timeout = 0", "[measure] timeout is 0, expected seconds over 0 and at most 86400"),
        ("timeout = inf", "[measure] timeout is inf"),
        ("timeout = nan", "[measure] timeout is nan"),
        ('timeout = "30"', "[measure] timeout is a text, expected a number of seconds"),
        ("baseline_timeout = 86401", "[measure] baseline_timeout is 86401"),
        ("budget = 3601", "[measure] budget is 3601, expected seconds over 0 and at most 3600"),
        ("budget = false", "[measure] budget is a truth value"),
        ("max_mutants = 0", "[measure] max_mutants is 0, expected 1 or more"),
        ("max_mutants = 1.0", "[measure] max_mutants is a number, expected a whole number"),
        ("max_mutants = true", "[measure] max_mutants is a truth value, expected a whole number"),
        ("seed = -1", "[measure] seed is -1, expected 0 or more"),
        ("seed = 9223372036854775808", "[measure] seed is a number of more than 64 bits"),
        ("mutants = { rust = [] }", "[measure] mutants.rust is empty"),
        ('mutants = { "" = ["a"] }', '[measure] mutants."" is empty'),
        ('items = { rust = "cat" }', "[measure] items.rust is a text, expected an array of texts"),
        ("layout = {}", "[measure] layout is a table, expected an array of tables"),
        ("layout = [1]", "[measure] layout[0] is a whole number, expected a table"),
        ("sim = 1", "[measure] sim is a whole number, expected a table"),
        ("sim = { shop = 1 }", "[measure] sim.shop is a whole number, expected a table"),
        ("build = 2024-01-01", "[measure] build is a date or a time"),
    ],
)
def test_a_measure_setting_that_cannot_be_used_is_refused(tmp_path: Path, line: str, said: str) -> None:
    assert said in refusal(tmp_path, f"[measure]\n{line}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LAYOUT.replace("limit.sh", "../a"), "[measure] layout[0].path is `../a`, a path with a part `..`"),
        (LAYOUT.replace("limit.sh", "a/../b"), "layout[0].path is `a/../b`"),
        (LAYOUT.replace("limit.sh", "/a"), "layout[0].path is the absolute path `/a`"),
        (LAYOUT.replace("limit.sh", "src/"), "layout[0].path is `src/`, a directory"),
        (LAYOUT.replace("limit.sh", "./"), "layout[0].path is `./`, the root itself"),
        (LAYOUT.replace("limit.sh", ""), "layout[0].path is empty"),
        (LAYOUT.replace("path", "pfad"), "layout[0].path is missing"),
        (LAYOUT.replace("context", "kontext"), "layout[0].context is missing"),
        (LAYOUT.replace("shop", "Shop"), "layout[0].context is `Shop`, a name with the character 'S'"),
        (LAYOUT.replace('"limit"', '"li mit"'), "layout[0].interface is `li mit`, a name with the character ' '"),
        (LAYOUT.replace('"limit"', '""'), "layout[0].interface is empty"),
        (LAYOUT + 'harness = "h"', "layout[0].interface is given and `harness` too, expected one of the two"),
        (LAYOUT.replace("interface", "x"), "layout[0].interface is missing and `harness` too"),
        (LAYOUT + "encoding = 1", "layout[0].encoding is not a setting; there are `context`, `harness`"),
        (LAYOUT + 'lang = "toy"', "layout[0].lang is `toy`, for which neither mutants nor items has a command"),
        (LAYOUT + 'lang = "tyo"\n[measure.items]\ntoy = ["a"]', "did you mean `toy`?"),
        (LAYOUT * 2, "layout[1].interface is `limit` of `shop`, which layout[0] places already"),
        (LAYOUT.replace("interface", "harness") * 2, "layout[1].harness is `limit` of `shop`"),
        (SIM.replace("shop", "Shop"), "[measure] sim.Shop is `Shop`, a name with the character 'S'"),
        (SIM.replace("shop", '""'), '[measure] sim."" is empty'),
        (SIM.replace("interpreter", "interpretr"), "[measure] sim.shop.interpreter is missing"),
        (SIM + "seeds = 10001", "[measure] sim.shop.seeds is 10001, expected a number from 1 to 10000"),
        (SIM + "seeds = 0", "sim.shop.seeds is 0"),
        (SIM + "sample = 1001", "sim.shop.sample is 1001, expected a number from 0 to 1000"),
        (SIM + "sample = -1", "sim.shop.sample is -1"),
        (SIM + "timeout = 0", "sim.shop.timeout is 0"),
        (SIM + "budget = 3601", "sim.shop.budget is 3601, expected seconds over 0 and at most 3600"),
        (SIM + "retries = 2", "sim.shop.retries is not a setting"),
        (EXAMPLES + "budget = 3601", "[measure] examples.shop.budget is 3601"),
        (EXAMPLES + "seeds = 1", "examples.shop.seeds is not a setting; there are `budget`, `program`, `timeout`"),
        (EXAMPLES + "interpreter = []", "examples.shop.interpreter is not a setting"),
        ("[measure.examples.shop]", "examples.shop.program is missing"),
        (EXAMPLES.replace('"./out/shop"', ""), "examples.shop.program is empty"),
    ],
)
def test_a_layout_a_sim_or_examples_that_cannot_be_used_is_refused(tmp_path: Path, text: str, said: str) -> None:
    assert said in refusal(tmp_path, text)


@pytest.mark.parametrize("place", ["{run}", "{tree}", "{work}"])
@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[measure]\nbuild = ["true", "HERE/x"]', "build[1]"),
        ('[measure]\ntest = ["HERE"]', "test[0]"),
        ('[measure]\ncopy_exclude = ["aHEREb"]', "copy_exclude[0]"),
        ('[measure]\noperators = ["HERE"]', "operators[0]"),
        ('[measure]\nenv = { "HERE" = "x" }', 'env."HERE"'),
        ('[measure]\nmutants = { "HERE" = ["x"] }', 'mutants."HERE"'),
        ('[measure]\nmutants = { sh = ["HERE"] }', "mutants.sh[0]"),
        ('[measure]\nitems = { sh = ["x", "HERE"] }', "items.sh[1]"),
        (LAYOUT.replace("limit.sh", "HERE/a"), "layout[0].path"),
        (LAYOUT.replace("shop", "HERE"), "layout[0].context"),
        (LAYOUT + 'lang = "HERE"', "layout[0].lang"),
        (SIM.replace('["sh"]', '["HERE/sh"]'), "sim.shop.interpreter[0]"),
    ],
)
def test_a_placeholder_where_none_may_stand_is_refused_by_name(
    tmp_path: Path, text: str, where: str, place: str
) -> None:
    message = refusal(tmp_path, text.replace("HERE", place))

    assert message.startswith(f"chidev.toml: [measure] {where.replace('HERE', place)} holds `{place}`")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[measure]\nenv = { A = "{work}/x" }', "env.A"),
        (SIM.replace("{tree}", "{work}"), "sim.shop.program[1]"),
        (EXAMPLES.replace("./out", "{work}"), "examples.shop.program[0]"),
    ],
)
def test_the_old_placeholder_is_refused_also_where_the_new_ones_may_stand(
    tmp_path: Path, text: str, where: str
) -> None:
    message = refusal(tmp_path, text)

    assert f"[measure] {where} holds `{{work}}`" in message
    assert "`{run}`" in message


# ---------------------------------------------------------------- whatever a file holds

SCALARS = st.none().map(lambda _: True) | st.integers() | st.floats() | st.text(max_size=5)
WORDS = st.sampled_from(
    ["", "sh", "shop", "a/../b", "{tree}", "{work}", "check", "put", "contracts", "off", "error", "/"]
)
TABLE_KEYS = [
    "store",
    "checks",
    "external",
    "measure",
    "path",
    "level",
    "params",
    "command",
    "args",
    "moments",
    "hooks",
    "reads",
    "gate",
    "build",
    "test",
    "env",
    "timeout",
    "budget",
    "max_mutants",
    "seed",
    "operators",
    "mutants",
    "items",
    "layout",
    "sim",
    "examples",
    "context",
    "interface",
    "harness",
    "lang",
    "program",
    "interpreter",
    "seeds",
    "sample",
    "shop",
    "cite.stale",
    "cite.",
    "ext.a",
]
KEYS = st.sampled_from(TABLE_KEYS) | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS | WORDS | st.dates().map(str),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)
FILES = st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=6) | VALUES, max_size=4)


def toml(value: Any) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return '"' + "".join(c if c.isalnum() else f"\\U{ord(c):08x}" for c in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return "{" + ", ".join(f"{toml(key)} = {toml(item)}" for key, item in value.items()) + "}"


def settle(project: bytes, person: bytes) -> None:
    """Loads two files; only the one exception may come out, with one line that names a file."""
    with tempfile.TemporaryDirectory() as directory:
        message = ""
        try:
            load(Path(directory), project, person)
        except SettingsError as error:
            message = str(error)
        assert not message or message.startswith(("chidev.toml: ", ".chidev/chidev.local.toml: "))
        assert "\n" not in message


@given(FILES, FILES)
def test_whatever_tables_a_file_holds_it_is_read_or_refused(project: dict[str, Any], person: dict[str, Any]) -> None:
    texts = ["".join(f"{toml(key)} = {toml(value)}\n" for key, value in file.items()) for file in (project, person)]

    settle(texts[0].encode(), texts[1].encode())


@given(st.binary(max_size=60) | st.text("[]=\"'\\#.\n{}a1,-e_ut", max_size=60).map(str.encode))
def test_whatever_bytes_a_file_holds_it_is_read_or_refused(data: bytes) -> None:
    settle(data, data)
