"""Random transition systems, to hold engines against the plain evaluator."""

from __future__ import annotations

from random import Random

from clingo.symbol import Function, Number

from checker.system.model import (
    Action,
    Atom,
    Effect,
    Goal,
    Kind,
    Option,
    Outcome,
    Rule,
    Stratum,
    TransitionSystem,
    Variable,
)


class _Maker:
    """Hands out atoms and draws rules over those handed out before."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.top = 0
        self.strata: list[Stratum] = []

    def atoms(self, number: int) -> list[Atom]:
        first = self.top + 1
        self.top += number
        return list(range(first, self.top + 1))

    def body(self, known: list[Atom], longest: int = 3) -> tuple[int, ...]:
        chosen = self.random.sample(known, self.random.randint(1, min(longest, len(known))))
        return tuple(self.random.choice((atom, atom, -atom)) for atom in chosen)

    def rule(self, head: Atom, known: list[Atom]) -> Rule:
        body = self.body(known)
        if self.random.random() < 0.7:
            return Rule(head, body)
        weights = tuple(self.random.randint(1, 3) for _ in body)
        return Rule(head, body, weights, self.random.randint(1, sum(weights)))

    def derive(self, known: list[Atom], number: int, rules: int = 2) -> list[Atom]:
        """Define new atoms in a stratum over known ones, each by up to so many rules."""
        heads = self.atoms(number)
        made = [self.rule(head, known) for head in heads for _ in range(self.random.randint(1, rules))]
        self.strata.append(Stratum(tuple(made), False))
        return heads

    def loop(self, known: list[Atom]) -> list[Atom]:
        """Define two new atoms by each other."""
        one, other = self.atoms(2)
        rules = (
            Rule(one, (other, *self.body(known, 1))),
            Rule(other, (one,)),
            Rule(other, self.body(known)),
            Rule(one, self.body(known)),
        )
        self.strata.append(Stratum(rules, True))
        return [one, other]


def random_system(seed: int) -> TransitionSystem:
    """Return a system of three to five variables, with every feature of the ground language somewhere.

    Goals: `bad` (a board atom), `worse` (step atoms), `good` (sometimes), `torn`, `open`, `acts`.
    """
    make = _Maker(seed)
    random = make.random
    variables = []
    for number in range(random.randint(3, 5)):
        size = random.randint(1, 5)
        domain = tuple(Number(value) for value in range(size))
        start = tuple(sorted(random.sample(range(size), random.randint(1, min(2, size)))))
        variables.append(Variable(Function(f"v{number}"), domain, start, tuple(make.atoms(size))))
    now = [atom for variable in variables for atom in variable.atoms]
    occurs = make.atoms(random.randint(3, 6))
    board = now + make.derive(now, 3)
    board += make.loop(board) + make.derive(board, 2)
    possible, forced = make.derive(board, len(occurs), 4), make.derive(board, len(occurs), 1)
    actions = tuple(
        Action(Function(f"a{i}"), occurs[i], possible[i], random.choice((None, None, None, forced[i])), ())
        for i in range(len(occurs))
    )
    events = make.derive(occurs + board, 4)
    outcomes = tuple(_outcome(make, occurs, board + events, variables) for _ in range(random.randint(0, 2)))
    chosen = [option.chosen for outcome in outcomes for option in outcome.options]
    effects = list(_chosen_effects(make, outcomes, variables))
    for index, variable in enumerate(variables):
        for value in range(len(variable.domain)):
            head = make.atoms(1)[0]
            body = (random.choice(occurs), *make.body(board + events, 2))
            make.strata.append(Stratum((Rule(head, body),), False))
            effects.append(Effect(index, value, head))
    step = make.derive(board + events + chosen, 3)
    goals = (
        Goal("bad", Kind.INVARIANT, violated=((board[-1], None),)),
        Goal("worse", Kind.STEP, violated=tuple((atom, None) for atom in step[:2])),
        Goal("good", Kind.SOMETIMES, reached=(board[-2], step[2])),
        Goal("torn", Kind.CONFLICT),
        Goal("open", Kind.OPEN_OUTCOME),
        Goal("acts", Kind.ACTIONS_REACHABLE),
    )
    return TransitionSystem(
        name=f"random {seed}", atoms=(None,) * (make.top + 1), strata=tuple(make.strata),
        variables=tuple(variables), actions=actions, effects=tuple(effects), outcomes=outcomes, goals=goals,
        facts=frozenset(), fired={}, sources=(),
    )  # fmt: skip


def _outcome(make: _Maker, occurs: list[Atom], known: list[Atom], variables: list[Variable]) -> Outcome:
    """Return an outcome fired by some action, with one to three options for one variable."""
    fired = make.atoms(1)[0]
    make.strata.append(Stratum((Rule(fired, (make.random.choice(occurs), *make.body(known, 1))),), False))
    variable = make.random.choice(variables)
    options = []
    for value in variable.domain[:3]:
        enabled, chosen = make.atoms(2)
        make.strata.append(Stratum((Rule(enabled, make.body(known, 2)),), False))
        options.append(Option(enabled, chosen, Function("set", [variable.name, value])))
    return Outcome(fired, tuple(options))


def _chosen_effects(make: _Maker, outcomes: tuple[Outcome, ...], variables: list[Variable]) -> list[Effect]:
    """Return the effects of options: set where fired, enabled and chosen."""
    index = {variable.name: i for i, variable in enumerate(variables)}
    effects = []
    for outcome in outcomes:
        for option in outcome.options:
            name, value = option.effect.arguments
            head = make.atoms(1)[0]
            rule = Rule(head, (outcome.fired, option.enabled, option.chosen))
            make.strata.append(Stratum((rule,), False))
            effects.append(Effect(index[name], value.number, head))
    return effects
