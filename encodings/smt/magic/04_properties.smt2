; What holds on every board, and what no step does. P1, P2, ... are those of the notes on the rules.

; P1, 301.5c
(define-fun one_host () Bool (!
  (forall ((e Object) (g Object) (h Object)) (=> (and (attached e g) (attached e h)) (= g h)))
  :invar-property 1))

; P2, 704.5n, 704.5p: whenever a player has priority, every attachment is legal
(define-fun legal_at_priority () Bool (!
  (forall ((e Object) (h Object)) (=> (and priority (attached e h)) (may_attach e h)))
  :invar-property 2))

; 701.3d: at any time, priority or not
(define-fun attached_on_battlefield () Bool (!
  (forall ((e Object) (h Object)) (=> (attached e h) (and (on_battlefield e) (on_battlefield h))))
  :invar-property 3))

; Nothing is ever attached to itself. 301.5c
(define-fun not_to_itself () Bool (!
  (forall ((e Object)) (not (attached e e)))
  :invar-property 4))

; Two creatures are never attached to each other while a player has priority.
(define-fun not_to_each_other () Bool (!
  (forall ((e Object) (h Object)) (not (and priority (attached e h) (attached h e) (not (reconfigure e)))))
  :invar-property 5))

; 400.7: what is still to come is nowhere on the battlefield
(define-fun new_is_elsewhere () Bool (!
  (forall ((o Object)) (not (and (new o) (on_battlefield o))))
  :invar-property 6))

; P3, 301.5c: an illegal attachment costs nobody a permanent
(define-fun state_moves_nothing () Bool (!
  (=> (and (not priority) priority.next) keep.zones)
  :step-property 3))

; P6, 301.5d
(define-fun control_follows () Bool (!
  (or keep.controller keep.attached)
  :step-property 6))

; P14: a step that attaches or unattaches taps and untaps nothing
(define-fun attach_changes () Bool (!
  (or keep.attached keep.tapped)
  :step-property 14))

; P4, 701.3b: what has been attached by a step was allowed to
(define-fun attached_illegally () Bool (!
  (forall ((e Object) (h Object)) (=> (and (attached.next e h) (not (attached e h))) (may_attach e h)))
  :step-property 4))
