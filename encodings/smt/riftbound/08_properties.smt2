; What holds on every board, what no step does, and what helps to prove it. Names as in rulebook.toml.

; I1, 718.5.d
(define-fun two_cards () Bool (!
  (forall ((g Card) (s Card) (t Card)) (=> (and (attached g s) (attached g t)) (= s t)))
  :invar-property 1))

; I2, 434.1
(define-fun attached_off_board () Bool (!
  (forall ((g Card) (t Card)) (=> (attached g t) (and (on_board g) (on_board t))))
  :invar-property 2))

; I3, 719.3
(define-fun apart () Bool (!
  (forall ((g Card) (t Card)) (=> (attached g t) (= (at g) (at t))))
  :invar-property 3))

; I4, 718.2
(define-fun rules_text () Bool (!
  (forall ((g Card) (t Card)) (=> (attached g t) (asleep g)))
  :invar-property 4))
; 435.1.c
(define-fun wakes_up () Bool (!
  (forall ((g Card)) (=> (asleep g) (not (free g))))
  :invar-property 5))

; I7, 818.3.a: Equipped if something that counts is attached, and only then
(define-fun equipped_if () Bool (!
  (forall ((g Card) (t Card)) (=> (and (attached g t) (counts g)) (equipped t)))
  :invar-property 7))
(define-fun equipped_only_if () Bool (!
  (forall ((t Card)) (=> (equipped t) (exists ((g Card)) (and (attached g t) (counts g)))))
  :invar-property 70))

; I8
(define-fun cycle () Bool (!
  (forall ((x Card) (y Card)) (=> (and (hangs x y) (hangs y x)) (= x y)))
  :invar-property 8))

; I15, guide only
(define-fun unit_attached () Bool (!
  (forall ((g Card) (t Card)) (=> (attached g t) (not (unit g))))
  :invar-property 15))

; What hangs on what: a forest with the attachments as its edges.
(define-fun hangs_on_itself () Bool (!
  (forall ((x Card)) (hangs x x))
  :invar-property 100 :auxiliary true))
(define-fun hangs_through () Bool (!
  (forall ((x Card) (y Card) (z Card)) (=> (and (hangs x y) (hangs y z)) (hangs x z)))
  :invar-property 101 :auxiliary true))
(define-fun hangs_in_line () Bool (!
  (forall ((x Card) (y Card) (z Card)) (=> (and (hangs x y) (hangs x z)) (or (hangs y z) (hangs z y))))
  :invar-property 102 :auxiliary true))
(define-fun attached_hangs () Bool (!
  (forall ((g Card) (t Card)) (=> (attached g t) (and (hangs g t) (not (= g t)))))
  :invar-property 103 :auxiliary true))
(define-fun hangs_by_edges () Bool (!
  (forall ((x Card) (y Card) (t Card)) (=> (and (attached x t) (hangs x y) (not (= x y))) (hangs t y)))
  :invar-property 104 :auxiliary true))
; What hangs on another card is attached. Orders of a Cleanup need it: what is free to be recalled hangs on nothing.
(define-fun hung_up () Bool (!
  (forall ((x Card) (y Card)) (=> (and (hangs x y) (not (= x y))) (not (free x))))
  :invar-property 108 :auxiliary order))
; Guide only: units hang on nothing.
(define-fun units_hang_not () Bool (!
  (forall ((x Card) (y Card)) (=> (and (unit x) (hangs x y)) (= x y)))
  :invar-property 105 :auxiliary true))
; Whatever is no gear is a unit, and Weaponmaster is on units that are no gear.
(define-fun kinds () Bool (!
  (forall ((c Card)) (or (gear c) (unit c)))
  :invar-property 106 :auxiliary true))
(define-fun gear_is_no_weaponmaster () Bool (!
  (forall ((i Item)) (=> (and (pending i) (triggered i)) (not (gear (target i)))))
  :invar-property 107 :auxiliary true))

; I11, 718.5.e-f: attaching and detaching change no controller, a new controller no attachment
(define-fun control_follows () Bool (!
  (or keep.attached (forall ((c Card)) (=> (on_board.next c) (= (controller.next c) (controller c)))))
  :step-property 11))

; I12, 434.5, 719.4.a: a step that attaches a card to another changes no status and no controller
(define-fun attach_changes () Bool (!
  (=> (exists ((g Card) (t Card)) (and (attached.next g t) (not (attached g t))))
      (and keep.statuses keep.controller keep.unit keep.on_board))
  :step-property 12))

; 719.3.a: a card that is attached before and after the step, to the same card, goes nowhere alone
(define-fun moved_apart () Bool (!
  (forall ((g Card) (t Card))
    (=> (and (attached g t) (attached.next g t) (not (= (at.next g) (at g)))) (= (at.next g) (at.next t))))
  :step-property 13))
