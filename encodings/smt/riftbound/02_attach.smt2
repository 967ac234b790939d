; Attach and Detach: what they change, wherever they come from. Clauses 434, 435, 716-719.

(declare-const clause.434.1.e Bool)
(declare-const clause.434.1.f Bool)
(declare-const clause.434.4 Bool)
(declare-const clause.434.5 Bool)

; 818.3.b by the tag, 818.3.c by the keyword
(define-fun counts ((g Card)) Bool (ite reading.equipped_def.equip (has_equip g) (equipment g)))

; 719.3: a card between g and what it hung on comes off with it.
(define-fun off ((g Card) (x Card) (y Card)) Bool (and (hangs x g) (hangs g y) (not (= y g))))

; 818.3.a: t is Equipped still if something else that counts is on it.
(define-fun still_equipped ((g Card) (t Card)) Bool
  (and (equipped t)
       (=> (attached g t) (exists ((h Card)) (and (not (= h g)) (attached h t) (counts h))))))

(define-fun attach_effect ((g Card) (t Card)) Bool
  (and
    ; 434.1, 718.5.d; 434.1.f: a new Top-Most Card takes it off the old one; 434.1.g: the same one changes nothing
    (forall ((x Card) (y Card)) (= (attached.next x y)
      (ite (= x g) (or (= y t) (and (attached g y) (not clause.434.1.f))) (attached x y))))
    (forall ((x Card) (y Card)) (= (hangs.next x y)
      (or (= x y) (and (hangs x y) (not (and clause.434.1.f (off g x y)))) (and (hangs x g) (hangs t y)))))
    ; 434.4: it goes where its new Top-Most Card is; 719.3: and takes along what hangs on it
    (forall ((x Card)) (= (at.next x)
      (ite (and clause.434.4 (hangs x g) (not (attached g t))) (at t) (at x))))
    ; 434.1.e, 718.2
    (forall ((x Card)) (= (asleep.next x) (or (asleep x) (and clause.434.1.e (= x g)))))
    ; 818.3, 435.1.e
    (forall ((x Card)) (= (equipped.next x)
      (ite (= x t) (or (equipped t) (counts g)) (ite clause.434.1.f (still_equipped g x) (equipped x)))))
    ; 434.5 and, before it was written, the rulings: nothing else changes
    (=> clause.434.5 keep.statuses)
    keep.on_board keep.controller keep.unit))

(define-fun detach_effect ((g Card)) Bool
  (and
    ; 435.1.b
    (forall ((x Card) (y Card)) (= (attached.next x y) (and (attached x y) (not (= x g)))))
    (forall ((x Card) (y Card)) (= (hangs.next x y) (or (= x y) (and (hangs x y) (not (off g x y))))))
    ; 435.1.c
    (forall ((x Card)) (= (asleep.next x) (and (asleep x) (not (= x g)))))
    ; 435.1.e
    (forall ((x Card)) (= (equipped.next x) (still_equipped g x)))
    ; 435.4
    keep.at
    keep.statuses keep.on_board keep.controller))

; An effect attaches gear to a unit, whoever controls the two. 434.2; units are not attached: guide (G19)
(define-fun attach ((g Card) (t Card)) Bool (!
  (and
    (gear g) (on_board g) (unit t) (on_board t) (not (= g t))
    (or reading.units_attachable.yes (not (unit g)))
    (attach_effect g t)
    keep.turn keep.chain)
  :action attach))

; An effect detaches a card. 435.2; of an unattached one it would do nothing (435.1.a.1)
(define-fun detach ((g Card)) Bool (!
  (and
    (on_board g) (not (free g))
    (detach_effect g)
    keep.unit keep.turn keep.chain)
  :action detach :together detaching))
