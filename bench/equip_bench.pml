/* The benchmark model of models/bench/equip_bench in Promela; clause numbers as there.

   Sizes: -DNU= units, -DNG= gear, -DNB= battlefields, -DNE= energy; up to 6 units and 6 gear.
   Every action is one d_step with its guard first, so the stored states are the model's boards. Codes are
   chosen so that clause 3, the start, is all zeros and takes no step. */

#define HOME     0                    /* the controller's base; 1 .. NB: battlefields */
#define TRASH    (NB + 1)             /* of units */
#define ABROAD   (NB + 1)             /* of gear: the other player's base */
#define FIELD(l) (l > HOME && l <= NB)
#define IDLE     (chain == 0)
#define MINE(c)  (c % 2 == turn)
#define LOOSE(j) (gatt[j] == 0 && FIELD(gloc[j]))

byte uloc[NU];                        /* where a unit is */
bit  uexh[NU];
byte gloc[NG];                        /* where a gear is */
byte gatt[NG];                        /* 0, or 1 + the unit it is attached to */
bit  gexh[NG];
byte spent[2];                        /* energy paid this turn */
bit  turn;
byte chain;                           /* 0, or 1 + gear * NU + unit */
hidden byte who, loc;

/* One instance of a macro per unit, per gear, per battlefield. */
#if NU > 1
#define U1(M) M(1)
#else
#define U1(M)
#endif
#if NU > 2
#define U2(M) M(2)
#else
#define U2(M)
#endif
#if NU > 3
#define U3(M) M(3)
#else
#define U3(M)
#endif
#if NU > 4
#define U4(M) M(4)
#else
#define U4(M)
#endif
#if NU > 5
#define U5(M) M(5)
#else
#define U5(M)
#endif
#define UNITS(M) M(0) U1(M) U2(M) U3(M) U4(M) U5(M)

#if NG > 1
#define G1(M) M(1)
#define P1(M, i) M(1, i)
#else
#define G1(M)
#define P1(M, i)
#endif
#if NG > 2
#define G2(M) M(2)
#define P2(M, i) M(2, i)
#else
#define G2(M)
#define P2(M, i)
#endif
#if NG > 3
#define G3(M) M(3)
#define P3(M, i) M(3, i)
#else
#define G3(M)
#define P3(M, i)
#endif
#if NG > 4
#define G4(M) M(4)
#define P4(M, i) M(4, i)
#else
#define G4(M)
#define P4(M, i)
#endif
#if NG > 5
#define G5(M) M(5)
#define P5(M, i) M(5, i)
#else
#define G5(M)
#define P5(M, i)
#endif
#define GEAR(M)     M(0) G1(M) G2(M) G3(M) G4(M) G5(M)
#define PAIRS(M, i) M(0, i) P1(M, i) P2(M, i) P3(M, i) P4(M, i) P5(M, i)

#if NB > 1
#define L2(M, i) M(i, 2)
#else
#define L2(M, i)
#endif
#if NB > 2
#define L3(M, i) M(i, 3)
#else
#define L3(M, i)
#endif
#define PLACES(M, i) M(i, HOME) M(i, 1) L2(M, i) L3(M, i)

/* 4 Activate */
#define ACTIVATE(j, i) \
    :: d_step { IDLE && MINE(i) && j % 2 == i % 2 && gatt[j] == 0 && uloc[i] != TRASH && spent[i % 2] < NE -> \
                spent[i % 2] = spent[i % 2] + 1; chain = 1 + j * NU + i }

/* 5 Resolve */
#define AT(j, i) (uloc[i] == HOME && j % 2 != i % 2 -> ABROAD : uloc[i])
#define RESOLVE(j, i) \
    :: d_step { chain == 1 + j * NU + i -> \
                gatt[j] = (uloc[i] != TRASH -> i + 1 : gatt[j]); \
                gloc[j] = (uloc[i] != TRASH -> AT(j, i) : gloc[j]); chain = 0 }

/* 6 Kill */
#define DETACH(j) gatt[j] = (gatt[j] == who -> 0 : gatt[j]);
#define KILL(i) \
    :: d_step { FIELD(uloc[i]) -> uloc[i] = TRASH; uexh[i] = 0; who = i + 1; GEAR(DETACH) who = 0 }

/* 7 Move */
#define CARRY(j) gloc[j] = (gatt[j] == who -> loc : gloc[j]);
#define MOVE(i, l) \
    :: d_step { IDLE && MINE(i) && uloc[i] != TRASH && !uexh[i] && uloc[i] != l -> \
                uloc[i] = l; uexh[i] = 1; who = i + 1; loc = l; GEAR(CARRY) who = 0; loc = 0 }

/* 8 Cleanup */
#define OR_LOOSE(j) || LOOSE(j)
#define GO_HOME(j)  gloc[j] = (LOOSE(j) -> HOME : gloc[j]);

/* 9 Replay */
#define REPLAY(i) \
    :: d_step { IDLE && MINE(i) && uloc[i] == TRASH && spent[i % 2] < NE -> \
                spent[i % 2] = spent[i % 2] + 1; uloc[i] = HOME; uexh[i] = 1 }

/* 10 Use gear */
#define USE(j) \
    :: d_step { IDLE && MINE(j) && !gexh[j] -> gexh[j] = 1 }

/* 11 End of turn */
#define READY_UNIT(i) uexh[i] = (MINE(i) -> 0 : uexh[i]);
#define READY_GEAR(j) gexh[j] = (MINE(j) -> 0 : gexh[j]);

#define ON_UNIT(i) PAIRS(ACTIVATE, i) PAIRS(RESOLVE, i) KILL(i) PLACES(MOVE, i) REPLAY(i)

active proctype game() {
    do
    UNITS(ON_UNIT)
    GEAR(USE)
    :: d_step { IDLE && (false GEAR(OR_LOOSE)) -> GEAR(GO_HOME) }
    :: d_step { IDLE -> turn = 1 - turn; spent[turn] = 0; UNITS(READY_UNIT) GEAR(READY_GEAR) }
    od
}
