"""Turn the result of a run into plain values in one language (`report.model`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple

from clingo.symbol import Symbol, SymbolType

from checker.check import BoardResult, Judged, Smaller, asked_and_dead
from checker.engines.protocol import Answer, Holds, Unknown, Violated
from checker.paths import display
from checker.report.evidence import in_order
from checker.report.graph import tell_graph
from checker.report.heat import heat
from checker.report.labels import Labels
from checker.report.model import (
    BoardReport,
    BoardView,
    ChangeView,
    Cited,
    CountsReport,
    Game,
    ObjectView,
    OtherGame,
    Others,
    PropertyReport,
    ReadingReport,
    RulebookReport,
    SmallerBoard,
    StepView,
)
from checker.report.said import EngineWords
from checker.report.words import Words, translated
from checker.rulebook.model import Rulebook
from checker.system.model import Atom, TransitionSystem, by_place
from checker.traces.because import Because, because
from checker.traces.replay import ReplayedTrace

DRAWN_ALONE, DRAWN_AMONG = 200, 40
"""Reachable boards up to which a state graph is told: of a single board, and of one among many."""


def summarise(result: BoardResult, language: str, witnesses: bool = True) -> BoardReport:
    """Return what a run found out about one board, in words.

    Without `witnesses`, as for one board among many, the games that reach what is wanted are not told, only how
    long they are, and fewer state graphs.
    """
    system, board = result.system, result.board
    teller = Teller(result.rulebook, system, Words(result.rulebook, board, language), language)
    return BoardReport(
        board=board.name,
        purpose=board.purpose[language],
        readings=tuple(sorted(result.readings.items())),
        variables=len(system.variables),
        bits=system.bits,
        actions=len(system.actions),
        objects=tuple(teller.words.objects.items()),
        counts=CountsReport(*astuple(result.counts)),
        properties=tuple(_property(result, judged, teller, witnesses) for judged in result.judged),
        assumptions=teller.assumptions(),
        seconds=result.seconds,
        details=tuple((k, str(v)) for k, v in result.details.items()),
        graph=tell_graph(result, teller.words, language, DRAWN_ALONE if witnesses else DRAWN_AMONG),
    )


def collect(
    book: Rulebook,
    boards: Sequence[BoardReport],
    language: str,
    whole: bool = True,
    untagged: Sequence[str] = (),
) -> RulebookReport:
    """Join the boards of a rulebook, and say what happened on none of them and what is not encoded.

    Unless they are the `whole` of its boards nothing is said of what did not happen. untagged: as in the model.
    """
    return RulebookReport(
        name=book.name,
        file=display(book.path),
        title=book.title[language],
        version=book.version.name,
        date=book.version.date,
        readings=tuple(
            ReadingReport(
                reading.name,
                reading.question[language],
                reading.values,
                book.version.readings.get(reading.name, reading.default),
                reading.tension,
            )
            for reading in book.readings.values()
        ),
        boards=tuple(boards),
        never=never(boards) if whole else (),
        not_encoded=tuple(
            (clause.id, translated(book.words.get(language, {}), clause.why or ""))
            for clause in book.version.clauses.values()
            if clause.status == "out_of_scope"
        ),
        clauses=heat(book, boards, language),
        untagged=tuple(untagged),
    )


def never(boards: Iterable[BoardReport]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return, by property, what it asked for that happened on none of the boards."""
    asked: dict[str, set[str]] = {}
    seen: dict[str, set[str]] = {}
    for board in boards:
        for wanted in board.properties:
            if wanted.asked:
                asked.setdefault(wanted.name, set()).update(wanted.asked)
                seen.setdefault(wanted.name, set()).update(set(wanted.asked) - set(wanted.dead))
    missing = ((name, tuple(sorted(asked[name] - seen[name], key=by_place))) for name in asked)
    return tuple((name, names) for name, names in missing if names)


def _property(result: BoardResult, judged: Judged, teller: Teller, witnesses: bool) -> PropertyReport:
    answer, wanted, number = judged.answer, judged.property, result.rulebook.version.number
    asked, dead = asked_and_dead(result, judged)
    trace, told = judged.trace, witnesses or not isinstance(answer, Holds)
    broken = answer if isinstance(answer, Violated) else Violated(None)
    asks = isinstance(answer, Violated) and result.games > 1 and trace is not None
    return PropertyReport(
        name=wanted.name,
        title=wanted.title[teller.language],
        kind=wanted.kind.value,
        status=judged.status.value,
        how=teller.engine.say(_reason(answer)),
        engine=judged.engine,
        clauses=tuple(Cited(n, teller.clause(n), "", 0) for c in wanted.clauses if (n := number(c)) is not None),
        tension=(judged.finding.tension if judged.finding else None) or wanted.tension,
        finding=judged.finding.title[teller.language] if judged.finding else None,
        culprits=tuple(teller.culprit(text) for text in broken.culprits),
        shortest=broken.shortest,
        breaking=broken.breaking,
        note=teller.engine.say(broken.note),
        asked=tuple(sorted(asked, key=by_place)),
        dead=tuple(sorted(dead, key=by_place)),
        length=len(trace.steps) if trace is not None else None,
        game=teller.game(wanted.name, trace) if trace is not None and told else None,
        others=_others(result.games, judged, broken, teller) if asks else None,
        smaller=_smaller(result, judged.smaller, teller) if judged.smaller else None,
    )


def _reason(answer: Answer) -> str:
    match answer:
        case Holds(how):
            return how
        case Unknown(reason):
            return reason
        case _:
            return ""


def _others(asked: int, judged: Judged, broken: Violated, teller: Teller) -> Others:
    name = judged.property.name
    games = (
        OtherGame(tuple(map(teller.culprit, o.culprits)), teller.game(name, o.trace), teller.engine.say(o.note))
        for o in judged.others
    )
    return Others(asked, broken.further.complete if broken.further else None, tuple(games))


def _smaller(result: BoardResult, smaller: Smaller, teller: Teller) -> SmallerBoard:
    """Tell the game on the smaller board with the titles that the cards have on the whole one."""
    (judged,) = smaller.result.judged
    assert judged.trace is not None, "a smaller board has a game"
    culprits = judged.answer.culprits if isinstance(judged.answer, Violated) else ()
    own = Teller(result.rulebook, smaller.result.system, teller.words, teller.language)
    return SmallerBoard(
        dropped=tuple(teller.words.objects[name] for name in smaller.dropped),
        kept=len(smaller.result.board.objects),
        of=len(result.board.objects),
        minimal=smaller.minimal,
        culprits=tuple(map(own.culprit, culprits)),
        game=own.game(judged.property.name, judged.trace),
    )


class Teller:
    """Tells replayed games of one board in words."""

    def __init__(self, book: Rulebook, system: TransitionSystem, words: Words, language: str) -> None:
        self.book, self.system, self.words, self.language = book, system, words, language
        self.engine = EngineWords(Labels(language), words)
        self.always = [symbol for symbol in system.facts if _is_view(symbol)]
        named = enumerate(system.atoms)
        self.views = {atom: symbol for atom, symbol in named if symbol is not None and _is_view(symbol)}

    def clause(self, clause: str) -> str:
        """Return our paraphrase of a clause."""
        known = self.book.version.clauses.get(clause)
        return known.text[self.language] if known else ""

    def culprit(self, text: str) -> str:
        """Say a culprit, which engines give as the text of a term: an effect left open, or anything else."""
        from clingo import parse_term

        try:
            term = parse_term(text)
        except RuntimeError:
            return text
        return self.words.effect(term) if term.match("set", 2) else self.words.term(term)

    def game(self, name: str, trace: ReplayedTrace) -> Game:
        """Tell a game of the property `name` step by step."""
        return self.told(trace, because(self.system, self.system.goal[name], trace))

    def told(self, trace: ReplayedTrace, why: Because) -> Game:
        """Tell a game step by step, with what its end rests on."""
        steps = []
        for index in range(len(trace.steps)):
            last = index + 1 >= len(trace.boards)
            board = None if last else self.board(trace.boards[index + 1])
            steps.append(self._step(index, trace, board, why))
        variables = zip(self.system.variables, trace.states[0], strict=True)
        fluents = tuple((str(variable.name), str(variable.domain[value])) for variable, value in variables)
        start = self.board(trace.boards[0])
        held = ((self.system.variables[variable], value) for variable, value in why.stays)
        stays = tuple(self.words.stays(variable.name, variable.domain[value]) for variable, value in held)
        return Game(start, fluents, tuple(steps), trace.loop, why.end, stays)

    def _step(self, index: int, trace: ReplayedTrace, board: BoardView | None, why: Because) -> StepView:
        step, number = trace.steps[index], index + 1
        by = ", ".join(map(self.words.term, step.deciders))
        changes = tuple(
            ChangeView(
                fluent=str(change.fluent),
                term=str(change.new),
                was=self.words.term(change.old),
                value=self.words.term(change.new),
                sentence=self.words.change(change.fluent, change.old, change.new),
                clauses=self.cited(change.rules),
            )
            for change in step.changes
        )
        return StepView(
            number=number,
            term=str(step.action),
            sentence=self.words.action(step.action, by),
            by=by,
            forced=step.forced,
            allowed=self.cited(step.guards),
            events=tuple(map(self.words.event, step.events)),
            changes=changes,
            board=board,
            matters=number in why.matters,
            because=why.steps[index],
            grounds=tuple(self._grounds(index, trace, why)),
        )

    def _grounds(self, index: int, trace: ReplayedTrace, why: Because) -> Iterator[tuple[int, str]]:
        """Yield what changed in earlier steps that step number `index` + 1 rests on, with the number of the step."""
        for number, variable in why.changes[index] if why.changes else ():
            name = self.system.variables[variable].name
            for change in trace.steps[number - 1].changes:
                if change.fluent == name:
                    yield number, self.words.change(change.fluent, change.old, change.new)

    def cited(self, rules: Iterable[int]) -> tuple[Cited, ...]:
        """Return the clauses that rules mean, each once, assumptions of the model last."""
        found: dict[tuple[str | None, str], Cited] = {}
        for source in (self.system.sources[rule] for rule in rules):
            for clause in source.clauses:
                found.setdefault((clause, ""), Cited(clause, self.clause(clause), source.file, source.line))
            if source.assumption and not source.clauses:
                cited = Cited(None, self.words.sentence(source.assumption), source.file, source.line)
                found.setdefault((None, source.assumption), cited)
        return tuple(sorted(found.values(), key=lambda c: (c.id is None, in_order(c.id or ""), c.text)))

    def assumptions(self) -> tuple[Cited, ...]:
        """Return what the model assumes by the rules that have an instance on this board."""
        sources = (self.system.sources[rule] for rule in sorted(set(self.system.fired.values())))
        say = self.words.sentence
        found = {s.assumption: Cited(None, say(s.assumption), s.file, s.line) for s in sources if s.assumption}
        return tuple(found.values())

    def board(self, true: Iterable[Atom]) -> BoardView:
        """Draw a board from the view_ atoms that hold on it (see core.lp)."""
        views: dict[str, list[list[Symbol]]] = {}
        for symbol in sorted([*self.always, *(self.views[atom] for atom in true if atom in self.views)]):
            views.setdefault(symbol.name, []).append(list(symbol.arguments))
        zones = sorted(views.get("view_zone", ()), key=lambda z: (z[1], z[0]))
        at = {str(o): self.words.term(z) for o, z in views.get("view_at", ())}
        under: dict[str, tuple[str, ...]] = {}
        for o, t in views.get("view_under", ()):
            under[str(o)] = (*under.get(str(o), ()), self.words.term(t))
        controller = {str(o): self.words.term(p) for o, p in views.get("view_controller", ())}
        turned = {str(o) for (o,) in views.get("view_turned", ())}
        objects = tuple(
            ObjectView(
                name=name,
                title=title,
                zone=at.get(name),
                under=under.get(name, ()),
                controller=controller.get(name),
                turned=name in turned,
                badges=self._badges(views, name),
            )
            for name, title in self._objects(at, under).items()
        )
        status = tuple((self.words.status(k), self.words.term(v)) for k, v in views.get("view_status", ()))
        return BoardView(tuple(self.words.term(z) for z, _ in zones), objects, status, self.words.turned)

    def _badges(self, views: Mapping[str, list[list[Symbol]]], name: str) -> tuple[str, ...]:
        return tuple(self.words.badge(b) for o, b in views.get("view_badge", ()) if str(o) == name)

    def _objects(self, at: Iterable[str], under: Iterable[str]) -> dict[str, str]:
        """Every object that is drawn, with its title: those of the board file first, in its order."""
        from clingo import parse_term

        drawn = {*at, *under}
        named = {name: title for name, title in self.words.objects.items() if name in drawn}
        return named | {name: self.words.term(parse_term(name)) for name in sorted(drawn - set(named))}


def _is_view(symbol: Symbol) -> bool:
    return symbol.type == SymbolType.Function and symbol.name.startswith("view_")
