; Magic, the core of Equipment for any number of objects and players: the board.
;
; VMT-LIB conventions, as in encodings/smt/riftbound: f and f.next are one state variable, :action marks an
; action, :together M a step of the moment M whose order nobody decides, :open (F G) that it leaves F and G open,
; :init and :trans are in 03_system.smt2, the properties in 04_properties.smt2. The files are read in the order of
; their names. Constants clause.N say that rule N is in force.
;
; An object is new after each change of zone (400.7), so one that left the battlefield never comes back: a
; card that does is another object. Left out: costs, Auras, protection, phasing, layers, combat.

(set-logic UF)

(declare-sort Object 0)
(declare-sort Player 0)
; An activated equip ability on the stack; what it targets and who activated it never change. 113.7a, 601.2c
(declare-sort Ability 0)

(declare-fun source (Ability) Object)
(declare-fun target (Ability) Object)
(declare-fun activator (Ability) Player)
(declare-fun newer (Ability Ability) Bool)
(assert (forall ((a Ability)) (not (newer a a))))
(assert (forall ((a Ability) (b Ability) (c Ability)) (=> (and (newer a b) (newer b c)) (newer a c))))
(assert (forall ((a Ability) (b Ability)) (or (= a b) (newer a b) (newer b a))))

; What prints equip has it still when it stops being an Equipment, though it cannot attach then. 301.5c, 702.6a
(declare-fun has_equip (Object) Bool)

; Reconfigure lets an Equipment be a creature and attach. 301.5c, 702.151
(declare-fun reconfigure (Object) Bool)

(declare-fun new (Object) Bool)
(declare-fun new.next (Object) Bool)
(define-fun sv.new ((o Object)) Bool (! (new o) :next new.next))
(declare-fun on_battlefield (Object) Bool)
(declare-fun on_battlefield.next (Object) Bool)
(define-fun sv.on_battlefield ((o Object)) Bool (! (on_battlefield o) :next on_battlefield.next))
(declare-fun controller (Object) Player)
(declare-fun controller.next (Object) Player)
(define-fun sv.controller ((o Object)) Player (! (controller o) :next controller.next))
; What the layers make of it now: a creature, an Equipment, both or neither. 613
(declare-fun creature (Object) Bool)
(declare-fun creature.next (Object) Bool)
(define-fun sv.creature ((o Object)) Bool (! (creature o) :next creature.next))
(declare-fun equipment (Object) Bool)
(declare-fun equipment.next (Object) Bool)
(define-fun sv.equipment ((o Object)) Bool (! (equipment o) :next equipment.next))
(declare-fun tapped (Object) Bool)
(declare-fun tapped.next (Object) Bool)
(define-fun sv.tapped ((o Object)) Bool (! (tapped o) :next tapped.next))
; attached(e, h): e is attached to its host h. 301.5a, 701.3
(declare-fun attached (Object Object) Bool)
(declare-fun attached.next (Object Object) Bool)
(define-fun sv.attached ((e Object) (h Object)) Bool (! (attached e h) :next attached.next))
(declare-fun on_stack (Ability) Bool)
(declare-fun on_stack.next (Ability) Bool)
(define-fun sv.on_stack ((a Ability)) Bool (! (on_stack a) :next on_stack.next))
(declare-fun turn () Player)
(declare-fun turn.next () Player)
(define-fun sv.turn () Player (! turn :next turn.next))
; State-based actions have been checked since the last change, so players get priority. 704.3, 117.5
(declare-fun priority () Bool)
(declare-fun priority.next () Bool)
(define-fun sv.priority () Bool (! priority :next priority.next))

(define-fun keep.zones () Bool
  (and (forall ((o Object)) (= (new.next o) (new o)))
       (forall ((o Object)) (= (on_battlefield.next o) (on_battlefield o)))))
(define-fun keep.controller () Bool (forall ((o Object)) (= (controller.next o) (controller o))))
(define-fun keep.types () Bool
  (and (forall ((o Object)) (= (creature.next o) (creature o)))
       (forall ((o Object)) (= (equipment.next o) (equipment o)))))
(define-fun keep.tapped () Bool (forall ((o Object)) (= (tapped.next o) (tapped o))))
(define-fun keep.attached () Bool (forall ((e Object) (h Object)) (= (attached.next e h) (attached e h))))
(define-fun keep.stack () Bool (forall ((a Ability)) (= (on_stack.next a) (on_stack a))))
(define-fun keep.turn () Bool (= turn.next turn))

; An Equipment e may be attached to h; who controls them does not matter. 301.5, 301.5c, 701.3a
(define-fun may_attach ((e Object) (h Object)) Bool
  (and (on_battlefield e) (on_battlefield h) (not (= e h))
       (equipment e) (or (not (creature e)) (reconfigure e))
       (creature h)))
