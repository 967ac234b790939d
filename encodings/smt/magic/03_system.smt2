; Where games start, and that a step is one of the actions.

(define-fun init () Bool (!
  (and
    (forall ((o Object)) (not (and (new o) (on_battlefield o))))
    (forall ((e Object) (h Object)) (not (attached e h)))
    (forall ((a Ability)) (not (on_stack a)))
    priority)
  :init true))

(define-fun trans () Bool (!
  (or
    (exists ((e Object) (h Object)) (attach e h))
    (exists ((e Object)) (unattach e))
    (exists ((e Object) (h Object) (a Ability)) (equip e h a))
    (exists ((a Ability)) (resolve a))
    (exists ((a Ability)) (fizzle a))
    (exists ((o Object)) (enter o))
    (exists ((o Object)) (leave o))
    (exists ((o Object)) (change_types o))
    (exists ((o Object) (p Player)) (take_control o p))
    (exists ((o Object)) (tap o))
    (exists ((p Player)) (end_turn p))
    check_state)
  :trans true))
