"""The clause files lack no clause about attaching, detaching, attachment, inactive text, Equip and Weaponmaster."""

from __future__ import annotations

import pytest

from checker.rulebook.load import load_rulebook

ATTACHMENT = (
    "716 717 718 718.1 718.2 718.3 718.4 718.5 718.5.a 718.5.b 718.5.c 718.5.d 718.5.e 718.5.f 718.5.g "
    "719 719.1 719.2 719.3 719.3.a 719.4 719.5 719.5.a "
    "720 721 721.1 721.2 722 722.1 722.2 723 724 725 725.1 725.2 725.3"
)
ATTACH = (
    "434 434.1 434.1.a 434.1.a.1 434.1.b 434.1.b.1 434.1.c 434.1.d 434.1.e 434.1.f 434.1.g 434.1.h 434.2 434.2.a 434.3 "
    "434.4 434.4.a "
    "435 435.1 435.1.a 435.1.a.1 435.1.b 435.1.b.1 435.1.b.2 435.1.c 435.1.d 435.1.e 435.2 435.2.a 435.3 435.4 435.4.a "
    "435.4.b"
)
KEYWORDS = (
    "818 818.1 818.1.a 818.1.b 818.1.b.1 818.1.b.2 818.1.c 818.1.c.1 818.1.c.2 818.1.c.3 818.1.c.4 818.1.c.5 818.2 "
    "818.2.a 818.3 818.3.a 818.3.b 818.3.c 818.4 818.5 818.5.a "
    "821 821.1 821.1.a 821.1.b 821.1.c 821.1.c.1 821.1.c.2 821.1.c.3 821.1.c.4 821.1.c.5 821.1.c.6 821.1.c.7 821.1.d "
    "821.2 821.3"
)
PUBLISHED = {
    "1.2": (
        "421 421.1 421.1.a 421.1.a.1 421.1.b 421.1.b.1 421.1.c 421.1.d 421.1.e 421.1.f 421.2 421.2.a 421.3 421.4 "
        "421.4.a 422 422.1 422.1.a 422.1.a.1 422.1.b 422.1.b.1 422.1.b.2 422.1.c 422.1.d 422.1.e 422.2 422.2.a 422.3 "
        "422.4 422.4.a 422.4.b "
        "716 717 718 718.1 718.2 718.3 718.4 718.5 718.5.a 718.5.b 718.6 718.7 718.8 718.8.a 718.8.b "
        "719 719.1 719.2 719.3 719.3.a 719.4 719.5 719.5.a "
        "720 721.1 721.1.a 721.1.b 722 722.1 722.2 723 724 725 725.1 725.2 725.3 "
        "744 744.1 744.1.a 744.1.b 744.1.b.1 744.1.b.2 744.1.c 744.1.c.1 744.1.c.2 744.1.c.3 744.1.c.4 744.1.c.5 744.2 "
        "744.2.a 744.3 744.3.a 744.3.b 744.3.c 744.4 744.5 "
        "747 747.1 747.1.a 747.1.b 747.1.c 747.1.c.1 747.1.c.2 747.1.c.3 747.1.c.4 747.1.c.5 747.1.c.6 747.2 747.2.a "
        "747.3 747.4"
    ),
    "1.3": f"{ATTACH} {ATTACHMENT} {KEYWORDS}",
    "1.4": f"{ATTACH} 434.5 {ATTACHMENT} 719.4.a 725.4 {KEYWORDS}",
}
"""The numbers of the published clauses, by version; 1.2 prints 744.5 twice."""


@pytest.mark.parametrize("version", PUBLISHED)
def test_no_clause_about_attaching_is_missing(version: str) -> None:
    """Each published number is in the clause file, nothing else of its chapters is, and each has what it needs."""
    published = set(PUBLISHED[version].split())
    clauses = load_rulebook(f"riftbound@{version}").version.clauses
    chapters = {number.partition(".")[0] for number in published}
    written = {number: clause for number, clause in clauses.items() if number.partition(".")[0] in chapters}

    assert set(written) == published
    assert all(clause.status == "encoded" or clause.why for clause in written.values())
    assert {clause.status for clause in written.values()} <= {"encoded", "definition", "out_of_scope"}
