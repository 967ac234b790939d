; Riftbound attachment for any number of cards, players and locations: the board.
;
; VMT-LIB conventions. A state variable is a function f with its value after the step f.next, tied by
; (! f :next f.next). An action is a predicate with :action; its parameters are what is decided. :init and
; :trans are in 07_system.smt2, :invar-property and :step-property in 08_properties.smt2. The files of this
; folder are read in the order of their names, as one text; each is plain SMT-LIB 2 with annotations.
;
; Constants clause.N say that clause N is in force, reading.R.X that reading X of R is chosen, version.V
; that version V is played. Left open, they stand for all choices at once.
;
; An action may also say :together M: it is a step of the moment M, of whose steps nobody decides the order; and
; :open (F G): it leaves open what becomes of the state variables F and G. An invariant with :auxiliary true only
; helps to prove others, one with :auxiliary order that the order of steps of a moment does not matter.
;
; Left out: costs (any cost may be paid), damage and Might, triggers other than Weaponmaster, priority, and
; which zone off the board a card is in. Whatever leaves the board loses what it was (124.1).

(set-logic UF)
; The versions of the rulebook that this is an encoding of.
(set-info :versions "1.3 1.4")

(declare-sort Card 0)
(declare-sort Player 0)
(declare-sort Location 0)
; An activated or triggered ability on the chain, once on it; its choices never change (188.4.b, 355.15).
(declare-sort Item 0)

; What is printed, and what no step changes. 147-151, 818.1.a, 821.1.a
(declare-fun gear (Card) Bool)
(declare-fun equipment (Card) Bool)
(declare-fun has_equip (Card) Bool)
(declare-fun weaponmaster (Card) Bool)
(declare-fun owner (Card) Player)
(declare-fun base (Player) Location)
(assert (forall ((c Card)) (=> (equipment c) (gear c))))
(assert (forall ((p Player) (q Player)) (=> (= (base p) (base q)) (= p q))))
(define-fun battlefield ((l Location)) Bool (forall ((p Player)) (not (= l (base p)))))

; What stands on an item, and which of two is newer. 337-340, 402
(declare-fun source (Item) Card)
(declare-fun target (Item) Card)
(declare-fun holder (Item) Player)
(declare-fun triggered (Item) Bool)
(declare-fun newer (Item Item) Bool)
(assert (forall ((i Item)) (not (newer i i))))
(assert (forall ((i Item) (j Item) (k Item)) (=> (and (newer i j) (newer j k)) (newer i k))))
(assert (forall ((i Item) (j Item)) (or (= i j) (newer i j) (newer j i))))

; Versions and readings; the names are those of models/riftbound/rulebook.toml.
(declare-const version.1.4 Bool)
(declare-const reading.equip_attach_at.pay Bool)
(declare-const reading.equipped_def.equip Bool)
(declare-const reading.equip_recheck_gear_controller.yes Bool)
(declare-const reading.recall_foreign_attached.yes Bool)
(declare-const reading.cleanup_recalls.all_gear Bool)
(declare-const reading.bearer_recall_carries.no Bool)
(declare-const reading.units_attachable.yes Bool)
(declare-const reading.gear_becomes_unit.stay Bool)
(declare-const reading.wm_unit_stolen.fail Bool)
(declare-const reading.wm_pay_at.resolve Bool)

; A card's own board: whether it is on the board, and where it is or was last. 107.1, 151, 435.4.b
(declare-fun on_board (Card) Bool)
(declare-fun on_board.next (Card) Bool)
(define-fun sv.on_board ((c Card)) Bool (! (on_board c) :next on_board.next))
(declare-fun at (Card) Location)
(declare-fun at.next (Card) Location)
(define-fun sv.at ((c Card)) Location (! (at c) :next at.next))
(declare-fun controller (Card) Player)
(declare-fun controller.next (Card) Player)
(define-fun sv.controller ((c Card)) Player (! (controller c) :next controller.next))
; Gear may become a unit and stop being one; whatever is no gear is a unit. 177-178
(declare-fun unit (Card) Bool)
(declare-fun unit.next (Card) Bool)
(define-fun sv.unit ((c Card)) Bool (! (unit c) :next unit.next))
(declare-fun exhausted (Card) Bool)
(declare-fun exhausted.next (Card) Bool)
(define-fun sv.exhausted ((c Card)) Bool (! (exhausted c) :next exhausted.next))
(declare-fun stunned (Card) Bool)
(declare-fun stunned.next (Card) Bool)
(define-fun sv.stunned ((c Card)) Bool (! (stunned c) :next stunned.next))

; attached(g, t): g is attached to its Top-Most Card t. 434.1, 718.5.d
(declare-fun attached (Card Card) Bool)
(declare-fun attached.next (Card Card) Bool)
(define-fun sv.attached ((g Card) (t Card)) Bool (! (attached g t) :next attached.next))
; hangs(x, y): x is y, or attached to something that hangs on y. Kept beside attached, since "goes along
; with, at any remove" is no first-order formula over it. 719.3
(declare-fun hangs (Card Card) Bool)
(declare-fun hangs.next (Card Card) Bool)
(define-fun sv.hangs ((x Card) (y Card)) Bool (! (hangs x y) :next hangs.next))
; The status Equipped, kept up as cards come and go. 818.3
(declare-fun equipped (Card) Bool)
(declare-fun equipped.next (Card) Bool)
(define-fun sv.equipped ((t Card)) Bool (! (equipped t) :next equipped.next))
; Printed Rules Text is inactive. 135.4, 718.2, 721
(declare-fun asleep (Card) Bool)
(declare-fun asleep.next (Card) Bool)
(define-fun sv.asleep ((g Card)) Bool (! (asleep g) :next asleep.next))

; The turn, and the chain: which items are on it, and which of those lost their source or target. 327-340
(declare-fun turn () Player)
(declare-fun turn.next () Player)
(define-fun sv.turn () Player (! turn :next turn.next))
(declare-fun pending (Item) Bool)
(declare-fun pending.next (Item) Bool)
(define-fun sv.pending ((i Item)) Bool (! (pending i) :next pending.next))
(declare-fun lost (Item) Bool)
(declare-fun lost.next (Item) Bool)
(define-fun sv.lost ((i Item)) Bool (! (lost i) :next lost.next))

; What a step leaves alone.
(define-fun keep.on_board () Bool (forall ((c Card)) (= (on_board.next c) (on_board c))))
(define-fun keep.at () Bool (forall ((c Card)) (= (at.next c) (at c))))
(define-fun keep.controller () Bool (forall ((c Card)) (= (controller.next c) (controller c))))
(define-fun keep.unit () Bool (forall ((c Card)) (= (unit.next c) (unit c))))
(define-fun keep.exhausted () Bool (forall ((c Card)) (= (exhausted.next c) (exhausted c))))
(define-fun keep.stunned () Bool (forall ((c Card)) (= (stunned.next c) (stunned c))))
(define-fun keep.attached () Bool (forall ((g Card) (t Card)) (= (attached.next g t) (attached g t))))
(define-fun keep.hangs () Bool (forall ((x Card) (y Card)) (= (hangs.next x y) (hangs x y))))
(define-fun keep.equipped () Bool (forall ((t Card)) (= (equipped.next t) (equipped t))))
(define-fun keep.asleep () Bool (forall ((g Card)) (= (asleep.next g) (asleep g))))
(define-fun keep.turn () Bool (= turn.next turn))
(define-fun keep.pending () Bool (forall ((i Item)) (= (pending.next i) (pending i))))
(define-fun keep.lost () Bool (forall ((i Item)) (= (lost.next i) (lost i))))
(define-fun keep.chain () Bool (and keep.pending keep.lost))
(define-fun keep.statuses () Bool (and keep.exhausted keep.stunned))
(define-fun keep.attachment () Bool (and keep.attached keep.hangs keep.equipped keep.asleep))

; No card is on the chain. 310.1
(define-fun open () Bool (forall ((i Item)) (not (pending i))))
(define-fun free ((c Card)) Bool (forall ((t Card)) (not (attached c t))))
