; Equip, attach, and what undoes an attachment. Rules 301.5, 400.7, 608.2, 701.3, 702.6, 704.

(declare-const clause.301.5b Bool)
(declare-const clause.301.5c Bool)
(declare-const clause.701.3b Bool)
(declare-const clause.701.3d Bool)
(declare-const clause.704.5n Bool)
(declare-const clause.704.5p Bool)

; 701.3: off the old host, if any, and onto the new one. 701.3b: onto what it may not be attached to, nothing
; happens; 702.151b: a reconfigured creature stops being one
(define-fun attach_effect ((e Object) (h Object)) Bool
  (and
    (ite (or (may_attach e h) (not clause.701.3b))
      (forall ((x Object) (y Object)) (= (attached.next x y)
        (ite (= x e) (or (= y h) (and (attached e y) (not clause.301.5c))) (attached x y))))
      keep.attached)
    (forall ((x Object)) (= (creature.next x)
      (and (creature x) (not (and (= x e) (reconfigure e) (may_attach e h))))))
    (forall ((x Object)) (= (equipment.next x) (equipment x)))
    keep.zones keep.controller keep.tapped))

; A spell or another ability attaches e to h, whoever controls the two. 701.3a
(define-fun attach ((e Object) (h Object)) Bool (!
  (and
    priority (on_battlefield e) (equipment e) (on_battlefield h)
    (attach_effect e h)
    keep.stack keep.turn (not priority.next))
  :action attach))

; 701.3d
(define-fun unattach ((e Object)) Bool (!
  (and
    priority (on_battlefield e)
    (forall ((x Object) (y Object)) (= (attached.next x y) (and (attached x y) (not (= x e)))))
    keep.zones keep.controller keep.types keep.tapped keep.stack keep.turn (not priority.next))
  :action unattach))

; 702.6a: on the stack, as a sorcery, targeting a creature its activator controls
(define-fun equip ((e Object) (h Object) (a Ability)) Bool (!
  (and
    priority (forall ((b Ability)) (not (on_stack b)))
    (on_battlefield e) (has_equip e) (= (controller e) turn)
    (on_battlefield h) (creature h) (= (controller h) turn)
    (= (source a) e) (= (target a) h) (= (activator a) turn)
    (forall ((b Ability)) (= (on_stack.next b) (or (on_stack b) (= b a))))
    keep.zones keep.controller keep.types keep.tapped keep.attached keep.turn (not priority.next))
  :action equip))

(define-fun leaves_stack ((a Ability)) Bool
  (and
    priority (on_stack a)
    (forall ((b Ability)) (=> (on_stack b) (or (= a b) (newer a b))))
    (forall ((b Ability)) (= (on_stack.next b) (and (on_stack b) (not (= b a)))))))

; 301.5b, 608.2b: its target is still a creature that its activator controls
(define-fun target_legal ((a Ability)) Bool
  (and (on_battlefield (target a)) (creature (target a))
       (=> clause.301.5b (= (controller (target a)) (activator a)))))

(define-fun resolve ((a Ability)) Bool (!
  (and
    (leaves_stack a) (target_legal a) (on_battlefield (source a))
    (attach_effect (source a) (target a))
    keep.turn (not priority.next))
  :action resolve :together game))

; 608.2b, or the Equipment is gone
(define-fun fizzle ((a Ability)) Bool (!
  (and
    (leaves_stack a) (or (not (target_legal a)) (not (on_battlefield (source a))))
    keep.zones keep.controller keep.types keep.tapped keep.attached keep.turn (not priority.next))
  :action fizzle :together game))

; 301.5b: an Equipment enters unattached; 110.5: and whatever enters, untapped
(define-fun enter ((o Object)) Bool (!
  (and
    priority (new o)
    (forall ((x Object)) (= (new.next x) (and (new x) (not (= x o)))))
    (forall ((x Object)) (= (on_battlefield.next x) (or (on_battlefield x) (= x o))))
    (forall ((x Object)) (= (tapped.next x) (and (tapped x) (not (= x o)))))
    keep.controller keep.types keep.attached keep.stack keep.turn (not priority.next))
  :action enter))

; 701.3d, 400.7: what leaves is attached to nothing, and nothing to it
(define-fun leave ((o Object)) Bool (!
  (and
    priority (on_battlefield o)
    (forall ((x Object)) (= (new.next x) (new x)))
    (forall ((x Object)) (= (on_battlefield.next x) (and (on_battlefield x) (not (= x o)))))
    (forall ((x Object) (y Object)) (= (attached.next x y)
      (and (attached x y) (not (and clause.701.3d (or (= x o) (= y o)))))))
    keep.controller keep.types keep.tapped keep.stack keep.turn (not priority.next))
  :action leave))

; An effect changes what o is. 613.1d
(define-fun change_types ((o Object)) Bool (!
  (and
    priority (on_battlefield o)
    (forall ((x Object)) (=> (not (= x o)) (= (creature.next x) (creature x))))
    (forall ((x Object)) (=> (not (= x o)) (= (equipment.next x) (equipment x))))
    keep.zones keep.controller keep.tapped keep.attached keep.stack keep.turn (not priority.next))
  :action change_types :open (creature equipment)))

; 301.5d
(define-fun take_control ((o Object) (p Player)) Bool (!
  (and
    priority (on_battlefield o)
    (forall ((x Object)) (= (controller.next x) (ite (= x o) p (controller x))))
    keep.zones keep.types keep.tapped keep.attached keep.stack keep.turn (not priority.next))
  :action take_control))

(define-fun tap ((o Object)) Bool (!
  (and
    priority (on_battlefield o)
    (forall ((x Object)) (= (tapped.next x) (or (tapped x) (= x o))))
    keep.zones keep.controller keep.types keep.attached keep.stack keep.turn (not priority.next))
  :action tap))

(define-fun end_turn ((p Player)) Bool (!
  (and
    priority (forall ((b Ability)) (not (on_stack b)))
    (= turn.next p)
    ; 502.3
    (forall ((x Object)) (= (tapped.next x) (and (tapped x) (not (and (on_battlefield x) (= (controller x) p))))))
    keep.zones keep.controller keep.types keep.attached keep.stack (not priority.next))
  :action end_turn))

; All at once: an Equipment on what it may not equip becomes unattached (704.5n), and so does a creature
; that is attached to anything, or what is no Equipment (704.5p); all of them stay on the battlefield.
(define-fun illegal_host ((e Object) (h Object)) Bool
  (and clause.704.5n (equipment e) (not (may_attach e h))))
(define-fun illegal_attachment ((e Object)) Bool
  (and clause.704.5p (or (not (equipment e)) (and (creature e) (not (reconfigure e))))))
(define-fun check_state () Bool (!
  (and
    (not priority)
    (forall ((e Object) (h Object)) (= (attached.next e h)
      (and (attached e h) (not (illegal_host e h)) (not (illegal_attachment e)))))
    keep.zones keep.controller keep.types keep.tapped keep.stack keep.turn priority.next)
  :action check_state :together game))
