; What changes on cards that stay where they are: control, being a unit, statuses, the turn.
; Clauses 185-189, 177-178, 718.1, 718.5.e-f, 719.4.

; 718.5.f: a new controller of one of the two changes nothing about the other, nor the attachment
(define-fun take_control ((c Card) (p Player)) Bool (!
  (and
    (on_board c)
    (forall ((x Card)) (= (controller.next x) (ite (= x c) p (controller x))))
    keep.on_board keep.at keep.unit keep.statuses keep.attachment keep.turn keep.chain)
  :action take_control))

; Gear becomes a unit. Guide: attached, it detaches at once (G20; 435.1.a.1: else nothing happens); by the
; Core Rules alone it stays attached
(define-fun become_unit ((g Card)) Bool (!
  (and
    (on_board g) (gear g) (not (unit g))
    (forall ((x Card)) (= (unit.next x) (or (unit x) (= x g))))
    (ite reading.gear_becomes_unit.stay
      (and keep.attachment keep.at keep.statuses keep.on_board keep.controller)
      (detach_effect g))
    keep.turn keep.chain)
  :action become_unit))

; 718.1: what is attached to it stays attached
(define-fun stop_unit ((g Card)) Bool (!
  (and
    (on_board g) (gear g) (unit g)
    (forall ((x Card)) (= (unit.next x) (and (unit x) (not (= x g)))))
    keep.on_board keep.at keep.controller keep.statuses keep.attachment keep.turn keep.chain)
  :action stop_unit))

; 719.4, 719.4.a: a status is that of the single card
(define-fun exhaust ((c Card)) Bool (!
  (and
    (on_board c)
    (forall ((x Card)) (= (exhausted.next x) (or (exhausted x) (= x c))))
    keep.stunned keep.on_board keep.at keep.controller keep.unit keep.attachment keep.turn keep.chain)
  :action exhaust))

(define-fun stun ((u Card)) Bool (!
  (and
    (on_board u) (unit u)
    (forall ((x Card)) (= (stunned.next x) (or (stunned x) (= x u))))
    keep.exhausted keep.on_board keep.at keep.controller keep.unit keep.attachment keep.turn keep.chain)
  :action stun))

; The next player's permanents are readied; stuns end.
(define-fun end_turn ((p Player)) Bool (!
  (and
    open (= turn.next p)
    (forall ((x Card)) (= (exhausted.next x) (and (exhausted x) (not (= (controller x) p)))))
    (forall ((x Card)) (not (stunned.next x)))
    keep.on_board keep.at keep.controller keep.unit keep.attachment keep.chain)
  :action end_turn))
