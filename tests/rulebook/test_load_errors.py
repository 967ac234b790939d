"""Every fault of the input is a sentence with a place, the value, and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.errors import InputError
from checker.pipeline import load_system, read_rules
from checker.rulebook.lint import status_problems, unread_problems
from checker.rulebook.load import load_rulebook
from tests.toybook import BOARD, CLAUSES, RULEBOOK, RULES, write_toy


def error_of(folder: Path, **changed: str) -> str:
    """Return the message of loading the toy with something broken, paths relative to the toy."""
    write_toy(folder, **changed)
    with pytest.raises(InputError) as caught:
        load_system(str(folder), "one")
    return str(caught.value).replace(f"{folder.as_posix()}/", "")


def test_toy_loads(tmp_path: Path) -> None:
    """The unbroken toy is fine: what the other tests see comes from what they break."""
    system = load_system(str(write_toy(tmp_path)), "one")

    assert [str(v.name) for v in system.variables] == ["lit(lamp)"]
    assert [str(a.name) for a in system.actions] == ["light(lamp)"]


RULE_FAULTS = {
    "syntax": (
        RULES.replace("lamp(O) :- object(O).", "lamp(O) :- object(O)", 1),
        "main.lp:2:1: syntax error, unexpected <IDENTIFIER>; does the statement before it end with a full stop?",
    ),
    "unsafe variable": (
        RULES + "helper(X, Y, Z') :- lamp(X).\n",
        "main.lp:11:1: unsafe: Y, Z'; expected every variable in a literal of the body that is not negated",
    ),
    "undefined atom": (
        RULES.replace("lamp(O), now(lit(O), no)", "lump(O), now(lit(O), no)"),
        "main.lp:7:23: atom does not occur in any rule head: lump(O)",
    ),
    "set outside the domain": (
        RULES.replace("set(lit(O), yes)", "set(lit(O), bright)"),
        "main.lp:9:1: set(lit(lamp), bright): bright is outside the domain of lit(lamp); expected one of no, yes",
    ),
    "set of no fluent": (
        RULES.replace("set(lit(O), yes)", "set(glow(O), yes)"),
        "main.lp:9:1: set(glow(lamp), yes): yes is outside the domain of glow(lamp); there is no such fluent",
    ),
    "no start": (
        RULES.replace("initially(lit(O), no) :- lamp(O).", ""),
        "main.lp:2:1: lit(lamp) has no initial value; expected initially(lit(lamp), V)",
    ),
    "start outside the domain": (
        RULES.replace("initially(lit(O), no)", "initially(lit(O), dim)"),
        "main.lp:3:1: initially(lit(lamp), dim): dim is outside the domain of lit(lamp); expected one of no, yes",
    ),
    "misspelt fluent": (
        RULES.replace(":- now(lit(O), yes)", ":- lamp(O), now(litt(O), yes)"),
        'main.lp:10:1: now speaks of litt/1, but no rule has it as a fluent; did you mean "lit/1"?',
    ),
    "fluent of another arity": (
        RULES.replace(":- now(lit(O), yes)", ":- lamp(O), next(lit(O, 1), yes)"),
        'main.lp:10:1: next speaks of lit/2, but no rule has it as a fluent; did you mean "lit/1"?',
    ),
    "value no fluent has": (
        RULES.replace(":- now(lit(O), yes)", ":- now(lit(O), yess)"),
        'main.lp:10:1: lit/1 never has the value yess; did you mean "yes"?',
    ),
    "misspelt action": (
        RULES.replace(":- occurs(light(O))", ":- lamp(O), occurs(ligth(O))"),
        'main.lp:9:1: occurs speaks of ligth/1, but no rule has it as an action; did you mean "light/1"?',
    ),
    "event nobody causes": (
        RULES.replace("lamp(O), now(lit(O), no)", "lamp(O), event(dusk)"),
        "main.lp:7:1: event speaks of dusk/0, but no rule has it as an event; there is none to choose from",
    ),
    "misspelt reading": (
        RULES.replace("lamp(O), now(lit(O), no)", "lamp(O), reading(sped, slow)"),
        'main.lp:7:1: there is no reading "sped"; did you mean "speed"?',
    ),
    "reading without such a value": (
        RULES.replace("lamp(O), now(lit(O), no)", "lamp(O), reading(speed, (slow; fats))"),
        'main.lp:7:1: reading "speed" has no value "fats"; did you mean "fast"?',
    ),
    "number of more than 32 bits": (
        RULES + '% 5000000000 in a comment, and "5000000000" in a string\nbig("5000000000", 2147483648).\n',
        "main.lp:12:19: 2147483648 is too large; expected a number up to 2147483647",
    ),
    "no clause": (
        RULES.replace("%@ 1\nset", "set"),
        "main.lp:8:1: this rule of the game (set) names no clause; expected a line `%@ <clause id>` above it",
    ),
    "unknown clause": (
        RULES.replace("%@ 1\nset", "%@ 1, 1.b\nset"),
        'main.lp:9:1: unknown clause "1.b" in version 1; expected the number of a clause in the version\'s clause file',
    ),
    "stray tag": (
        RULES.replace("%@ 1\nset", "%@ 1\n\n%@ 1\nset"),
        "main.lp:8:1: this tag stands above no rule; put it on the line directly above the rule it means",
    ),
    "empty tag": (RULES.replace("%@ 1\nset", "%@\nset"), "main.lp:8:1: this tag names no clause"),
    "assumption without reason": (
        RULES.replace("%@ 1\nset", "%@ model:\nset"),
        "main.lp:8:1: `%@ model:` lacks its reason",
    ),
    "negation through a loop": (
        RULES
        + "%@ 1\nevent(a) :- occurs(light(O)), not event(b).\n%@ 1\nevent(b) :- occurs(light(O)), not event(a).\n",
        "main.lp:12:1: negation through a loop: event(a), event(b) depend on their own negation\n"
        "main.lp:14:1: negation through a loop: event(a), event(b) depend on their own negation",
    ),
    "nobody decides": (
        RULES.replace("by(light(O), alice) :- object(O).", ""),
        "main.lp:4:1: nobody decides light(lamp); expected by(light(lamp), P)",
    ),
    "somebody else decides": (
        RULES.replace("by(light(O), alice)", "player((alice; bob)).\nby(light(O), alise)"),
        "main.lp:6:1: by(light(lamp), alise): alise is no player; expected game or one of the players alice, bob",
    ),
    "an object decides by a rule with a tag": (
        RULES.replace("by(light(O), alice) :- object(O).", "player(alice).\n%@ 1\nby(light(O), V) :- now(lit(O), V)."),
        "main.lp:7:1: by(light(lamp), no): no is no player; expected game or one of the players alice\n"
        "main.lp:7:1: by(light(lamp), yes): yes is no player; expected game or one of the players alice",
    ),
    "two rules say who decides, one of them wrongly": (
        RULES + "player(alice).\nby(light(O), P) :- lamp(O), player(P).\nby(light(O), 3) :- lamp(O).\n",
        "main.lp:13:1: by(light(lamp), 3): 3 is no player; expected game or one of the players alice",
    ),
    "each stranger is said where the rule for that action stands": (
        RULES + "player(alice).  action((dim(1..2); zap(1))).\nby(zap(1), P) :- player(P).\n"
        "by(dim(1), ann).  by((zap(1); dim(2)), ann).\n",
        "main.lp:13:1: by(dim(1), ann): ann is no player; expected game or one of the players alice\n"
        "main.lp:13:19: by(dim(2), ann): ann is no player; expected game or one of the players alice",
    ),
    "player that depends on the board": (
        RULES + "player(alice) :- now(lit(O), no).\n",
        "main.lp:11:1: player(alice) depends on the board; who plays is fixed",
    ),
    "not an action": (
        RULES.replace("possible(light(O))", "possible(shine(O))"),
        "main.lp:7:1: possible speaks of shine(lamp), which is not an action",
    ),
    "guard reads the step": (
        RULES.replace("now(lit(O), no).", "now(lit(O), no), not occurs(light(O))."),
        "main.lp:7:1: possible(light(lamp)) reads the step it allows (occurs, set or next)",
    ),
    "unknown property": (
        RULES + "violated(never_off, O) :- now(lit(O), no).\n",
        'main.lp:11:1: violated names a property "never_off" that rulebook.toml does not have',
    ),
    "property without a rule": (
        RULES.replace("violated(never_on, O) :- now(lit(O), yes).\n", ""),
        'rulebook.toml:16:1: no rule derives violated(never_on), so property "never_on" of kind invariant says nothing',
    ),
    "constraint": (
        RULES + ":- now(lit(lamp), yes).\n",
        "main.lp:11:1: an integrity constraint has no place in a rulebook; derive violated(property) instead",
    ),
    "other choice": (
        RULES + "{ on(O) : lamp(O) }.\n",
        "main.lp:11:1: the only choice a rulebook has is an open outcome: { set(F, V) : condition } = 1 :- body",
    ),
    "disjunction": (
        RULES + "on(lamp); off(lamp).\n",
        "main.lp:11:1: `on(lamp); off(lamp)` cannot be the head of a rule; expected one atom or an open outcome",
    ),
    "script": (
        RULES + "#show lamp/1.\n",
        "main.lp:11:1: `#show lamp/1.` has no place in a rulebook; expected rules, #const, #include or #defined",
    ),
    "given predicate": (
        RULES + "now(lit(lamp), no).\n",
        "main.lp:11:1: now is given by the checker; a rulebook cannot derive it",
    ),
    "start that depends on the board": (
        RULES + "initially(lit(O), yes) :- now(lit(O), no).\n",
        "main.lp:3:1: initially(lit(lamp), yes) depends on the board; a start is fixed",
    ),
    "action that depends on the board": (
        RULES + "action(put_out(O)) :- now(lit(O), yes).\nby(put_out(O), bob) :- lamp(O).\n",
        "main.lp:11:1: action(put_out(lamp)) depends on the board; expected possible(A) to do so\n"
        "main.lp:12:1: by speaks of put_out(lamp), which is not an action",
    ),
    "wrong number of arguments": (
        RULES + "%@ 1\nforced(light(O), now) :- lamp(O).\n",
        "main.lp:12:1: forced/2 is not in the vocabulary of core.lp; expected forced/1",
    ),
    "no argument": (
        RULES + "violated :- now(lit(O), yes).\n",
        "main.lp:11:1: violated/0 is not in the vocabulary of core.lp; expected violated/1 or violated/2",
    ),
    "derived by the checker": (
        RULES + "next(lit(O), yes) :- lamp(O).\n",
        "main.lp:11:1: next is given by the checker; a rulebook cannot derive it",
    ),
    "domain that depends on the board": (
        RULES + "fluent(mood, V) :- now(lit(lamp), V).\n",
        "fluent(mood, no) depends on the board; a domain is fixed\n"
        "fluent(mood, yes) depends on the board; a domain is fixed",
    ),
}


@pytest.mark.parametrize("fault", RULE_FAULTS)
def test_fault_in_the_rules(tmp_path: Path, fault: str) -> None:
    """A fault in a `.lp` file is found where it stands."""
    rules, message = RULE_FAULTS[fault]

    assert message == error_of(tmp_path, rules=rules)


FILE_FAULTS = {
    "not TOML": ("board", "purpose = One lamp", "boards/one.toml:1:11: not TOML: Invalid value"),
    "missing key": ("board", "[objects.lamp]\n", "boards/one.toml:1:1: the file lacks purpose"),
    "unknown key": (
        "board",
        BOARD.replace("purpose", 'purpos = "x"\npurpose'),
        "boards/one.toml:1:1: unknown key purpos; expected one of facts, objects, purpose, readings",
    ),
    "wrong type": (
        "board",
        BOARD.replace('"One lamp."', "3"),
        "boards/one.toml:1:1: purpose is 3; expected a string",
    ),
    "fact of the wrong shape": (
        "board",
        BOARD + "[facts]\npower = 1.5\n",
        "boards/one.toml:5:1: facts.power is 1.5; expected a whole number of 32 bits, a string, true or false",
    ),
    "number too large": (
        "board",
        BOARD + "[facts]\npower = 4000000000\n",
        "boards/one.toml:5:1: facts.power is 4000000000; expected a whole number of 32 bits",
    ),
    "name that is a word of the language": (
        "board",
        BOARD.replace("objects.lamp", "objects.not"),
        "boards/one.toml:3:1: objects is",
    ),
    "name that is no name": (
        "board",
        BOARD + '[facts]\n"p,1). violated(never_on). q(a" = 1\n',
        "boards/one.toml:4:1: facts is",
    ),
    "unknown card": (
        "board",
        BOARD + 'card = "candle"\n',
        'boards/one.toml:4:1: there is no card "candle"; there is none to choose from',
    ),
    "unknown reading": (
        "board",
        BOARD + '\n[readings]\nspeed = "fast"\nsped = "fast"\n',
        'boards/one.toml:7:1: there is no reading "sped"; did you mean "speed"?',
    ),
    "wrong value of a reading": (
        "board",
        BOARD + '\n[readings]\nspeed = "quick"\n',
        'boards/one.toml:6:1: reading "speed" has no value "quick"; expected one of slow, fast',
    ),
    "wrong default": (
        "rulebook",
        RULEBOOK.replace('default = "slow"', 'default = "still"'),
        'rulebook.toml:13:1: the default "still" of reading "speed" is not one of its values slow, fast',
    ),
    "wrong kind": (
        "rulebook",
        RULEBOOK.replace('"invariant"', '"always"'),
        'rulebook.toml:18:1: properties.0.kind is "always"; expected one of invariant, step, sometimes, conflict, '
        "open_outcome, termination, actions_reachable, rules_fire, determinism, response",
    ),
    "property twice": (
        "rulebook",
        RULEBOOK + RULEBOOK[RULEBOOK.index("[[properties]]") :],
        'rulebook.toml:22:1: a property "never_on" is already defined',
    ),
    "finding about nothing": (
        "rulebook",
        RULEBOOK + '\n[[findings]]\nproperty = "never_off"\ntitle = { en = "x" }\n',
        'rulebook.toml:23:1: the finding is about a property "never_off" that does not exist; did you mean "never_on"?',
    ),
    "finding on no board": (
        "rulebook",
        RULEBOOK + '\n[[findings]]\nproperty = "never_on"\nboards = ["two"]\ntitle = { en = "x" }\n',
        'rulebook.toml:24:1: there is no board "two"',
    ),
    "no such version": (
        "rulebook",
        RULEBOOK.replace('default_version = "1"', 'default_version = "2"'),
        'rulebook.toml has no version "2"; expected one of 1',
    ),
    "no encoding": (
        "rulebook",
        RULEBOOK.replace("main.lp", "mian.lp"),
        'rulebook.toml:4:1: the encoding "mian.lp" is neither in',
    ),
    "clause without a why": (
        "clauses",
        CLAUSES + CLAUSES.replace("[1]", "[2]").replace("encoded", "out_of_scope"),
        "clauses.toml:4:1: 2 lacks why",
    ),
}


@pytest.mark.parametrize("fault", FILE_FAULTS)
def test_fault_in_a_toml_file(tmp_path: Path, fault: str) -> None:
    """A fault in a TOML file is found where it stands."""
    file, text, message = FILE_FAULTS[fault]

    assert error_of(tmp_path, **{file: text}).startswith(message)


def test_missing_rulebook_suggests_a_shipped_one() -> None:
    """A misspelt name is answered with the nearest shipped rulebook."""
    with pytest.raises(InputError, match=r'there is no rulebook "riftbond".*did you mean "riftbound"?'):
        load_system("riftbond", "one")


def test_missing_board_lists_the_boards(tmp_path: Path) -> None:
    """An unknown board is answered with those there are."""
    write_toy(tmp_path)
    with pytest.raises(InputError, match='there is no board "two"; expected one of one'):
        load_system(str(tmp_path), "two")


STATUSES = {
    "no rule": (
        CLAUSES + CLAUSES.replace("[1]", "[2]"),
        "clauses.toml:6:1: clause 2 is said to be encoded, but no rule is tagged with it",
    ),
    "a rule all the same": (
        CLAUSES.replace('"encoded"', '"out_of_scope"\nwhy = "not needed"'),
        "main.lp:7:1: a rule means clause 1, whose status is out_of_scope; expected encoded",
    ),
}


@pytest.mark.parametrize("fault", STATUSES)
def test_a_status_that_the_rules_belie_is_lint_but_no_obstacle(tmp_path: Path, fault: str) -> None:
    """A rule taken out on purpose can be checked; lint says what the clause file still claims."""
    clauses, message = STATUSES[fault]
    book = load_rulebook(str(write_toy(tmp_path, clauses=clauses)))
    first, *_ = status_problems(book, read_rules(book))

    assert str(first).replace(f"{tmp_path.as_posix()}/", "") == message


SLIPS = {
    "posible/1": RULES.replace("possible(light(O))", "posible(light(O))"),
    "sett/2": RULES + "sett(lit(O), no) :- lamp(O).\n",
    "": RULES + "posible(O, O) :- lamp(O).  posible(O) :- lamp(O).  glow(O) :- posible(O).  dark(O) :- lamp(O).\n",
}


@pytest.mark.parametrize("slip", SLIPS)
def test_what_no_rule_reads_and_is_nearly_a_word_of_the_checker_is_a_slip(tmp_path: Path, slip: str) -> None:
    """What a rule reads is meant, and so is what resembles no word of as many arguments."""
    found = list(unread_problems(read_rules(load_rulebook(str(write_toy(tmp_path, rules=SLIPS[slip]))))))

    assert [p.message.split(",")[0] for p in found] == ([f"no rule reads {slip}"] if slip else [])


VERSIONS = RULEBOOK + '\n[versions."2"]\nclauses = "clauses2.toml"\n[versions."2".aliases]\n"1" = "7"\n'


def test_a_tag_is_looked_up_under_the_number_it_has_in_the_version(tmp_path: Path) -> None:
    """Clause 1 is clause 7 in version 2, so version 2's file must have a 7, and no 1."""
    write_toy(tmp_path, rulebook=VERSIONS)
    (tmp_path / "clauses2.toml").write_text(CLAUSES.replace("[1]", "[7]"), encoding="utf-8")
    system = load_system(f"{tmp_path}@2", "one")

    assert {s.clauses for s in system.sources} == {("7",)}

    (tmp_path / "clauses2.toml").write_text(CLAUSES, encoding="utf-8")
    with pytest.raises(InputError, match=r'main.lp:7:1: unknown clause "7" in version 2'):
        load_system(f"{tmp_path}@2", "one")


def test_a_tag_of_one_version_counts_there_alone(tmp_path: Path) -> None:
    """A rule tagged 2:9 cites clause 9 in version 2 and nothing in version 1."""
    write_toy(tmp_path, rulebook=VERSIONS, rules=RULES.replace("%@ 1\nset", "%@ 1, 2:9\nset"))
    (tmp_path / "clauses2.toml").write_text(
        CLAUSES.replace("[1]", "[7]") + CLAUSES.replace("[1]", "[9]"), encoding="utf-8"
    )

    assert [s.clauses for s in load_system(str(tmp_path), "one").sources] == [("1",), ("1",)]
    assert [s.clauses for s in load_system(f"{tmp_path}@2", "one").sources] == [("7",), ("7", "9")]


@pytest.mark.parametrize("name", ["main.lp", "clauses.toml", "boards/one.toml"])
def test_what_is_not_utf_8_is_said_with_its_place(tmp_path: Path, name: str) -> None:
    """A byte of another encoding has a line and a column; a byte order mark is named."""
    path = write_toy(tmp_path) / name
    text = path.read_bytes()
    last = len(text.splitlines()) + 1

    path.write_bytes(text + b"# caf\xe9\n" if name.endswith("toml") else text + b"% caf\xe9\n")
    with pytest.raises(InputError, match=rf"{name}:{last}:6: the byte 0xe9 is not UTF-8; save the file as UTF-8$"):
        load_system(str(tmp_path), "one")

    path.write_bytes(b"\xef\xbb\xbf" + text)
    with pytest.raises(InputError, match=rf"{name}:1:1: begins with a byte order mark; save it as UTF-8 without one$"):
        load_system(str(tmp_path), "one")


def test_a_number_in_an_included_file_is_looked_at_too(tmp_path: Path) -> None:
    """Clingo reads what a file includes; numbers there would wrap around all the same."""
    write_toy(tmp_path, rules=RULES + '#include "more.lp".\n')
    (tmp_path / "more.lp").write_text("#const n = 4294967297.\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"more\.lp:1:12: 4294967297 is too large; expected a number up to 2147483647"):
        load_system(str(tmp_path), "one")


def test_a_folder_may_have_an_at_in_its_name(tmp_path: Path) -> None:
    """The version stands after the last @, unless a folder is called that."""
    folder = write_toy(tmp_path / "a@b")

    assert load_rulebook(str(folder)).version.name == load_rulebook(f"{folder}@1").version.name == "1"
    with pytest.raises(InputError, match=r'b@" names no version after the @'):
        load_rulebook(f"{folder}@")
    with pytest.raises(InputError, match="names no rulebook"):
        load_rulebook("")
