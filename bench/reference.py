"""The sizes of the benchmark model and its exact counts, computed by other checkers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """Exact counts of one size; None where nobody has counted.

    shortest and breaking belong to the two properties that are broken on purpose, the near one and the deep
    one: the steps of a shortest game, and the reachable boards that break them.
    """

    states: int
    transitions: int | None = None
    levels: int | None = None
    largest_level: int | None = None
    breaking: tuple[int | None, int | None] = (None, None)
    shortest: tuple[int | None, int | None] = (4, None)


REFERENCE = {
    "u1_g1_b1_e1": Reference(108, 234, 16, 16, (38, 38), (4, 4)),
    "u2_g1_b1_e1": Reference(648, 1752, 19, 97, (228, 228), (4, 4)),
    "u2_g2_b1_e1": Reference(5632, 16968, 26, 580, (3232, 672), (4, 9)),
    "u1_g3_b2_e1": Reference(3936, 12404, 27, 426, (3008, 0), (4, None)),
    "u2_g2_b2_e2": Reference(23048, 82340, 24, 2292, (17344, 5760), (4, 9)),
    "u3_g2_b1_e1": Reference(43792, 155320, 28, 5043, (23852, 4516), (4, 9)),
    "u3_g3_b1_e2": Reference(676272, 2432560, 30, 75365, (459440, 20528), (4, 11)),
    "u3_g3_b2_e2": Reference(3820176, 16624316, 33, 361346, (3227872, 360704), (4, 11)),
    "u4_g3_b1_e2": Reference(5888736, 23878352, 32, 729745, (3853296, 148080), (4, 11)),
    "u4_g3_b2_e2": Reference(44196272, 221716276, 35, 4701297, (36478816, 3550336), (4, 11)),
    "u4_g4_b2_e2": Reference(581507232, 2939169472, 42, 52177142, (522188928, 19319296), (4, 13)),
    "u5_g5_b2_e2": Reference(96640399552, None, 48),
    "u6_g6_b3_e3": Reference(299468331192960),
}
