; Equip with the chain, last in first out. Clauses 327-340, 376-381, 398-406, 818.

(declare-const clause.818.1.b.1 Bool)

; A new item is newer than all that are pending. 401, 338
(define-fun put ((i Item)) Bool
  (and
    (not (pending i)) (not (lost i))
    (forall ((j Item)) (=> (pending j) (newer i j)))
    (forall ((j Item)) (= (pending.next j) (or (pending j) (= j i))))
    keep.lost))

; The newest item leaves the chain, and with it what was known of it. 340
(define-fun take ((i Item)) Bool
  (and
    (pending i)
    (forall ((j Item)) (=> (pending j) (or (= j i) (newer i j))))
    (forall ((j Item)) (= (pending.next j) (and (pending j) (not (= j i)))))
    (forall ((j Item)) (= (lost.next j) (and (lost j) (not (= j i)))))))

; The Equip ability of g may be activated, choosing u. 150.2, 381: own turn, Open State; 718.2, 721.2: not
; while its text is inactive; 818.1.c.2: a unit you control
(define-fun may_equip ((g Card) (u Card)) Bool
  (and
    open (gear g) (has_equip g) (not (asleep g)) (on_board g) (= (controller g) turn)
    (unit u) (on_board u) (= (controller u) turn) (not (= g u))))

; 402-406: choose, pay, and the ability waits on the chain
(define-fun equip ((g Card) (u Card) (i Item)) Bool (!
  (and
    (may_equip g u) (not reading.equip_attach_at.pay)
    (= (source i) g) (= (target i) u) (= (holder i) turn) (not (triggered i))
    (put i)
    keep.on_board keep.at keep.controller keep.unit keep.statuses keep.attachment keep.turn)
  :action equip))

; 818.1.b read to the letter: attached at once when the cost is paid
(define-fun equip_at_once ((g Card) (u Card)) Bool (!
  (and
    (may_equip g u) reading.equip_attach_at.pay
    (or reading.units_attachable.yes (not (unit g)))
    (attach_effect g u)
    keep.turn keep.chain)
  :action equip_at_once))

; The Equip on item i still attaches. 359.3.e.2: source and target are the objects they were, the target
; still is a unit its holder controls; a gear that is a unit now is not attached: guide
(define-fun equip_works ((i Item)) Bool
  (and
    (not (triggered i)) (not (lost i))
    (on_board (source i)) (on_board (target i)) (unit (target i))
    (=> clause.818.1.b.1 (= (controller (target i)) (holder i)))
    (=> reading.equip_recheck_gear_controller.yes (= (controller (source i)) (holder i)))
    (or reading.units_attachable.yes (not (unit (source i))))))

; 340, 818.1.b
(define-fun resolve_equip ((i Item)) Bool (!
  (and
    (equip_works i) (take i)
    (attach_effect (source i) (target i))
    keep.turn)
  :action resolve_equip :together chain))
