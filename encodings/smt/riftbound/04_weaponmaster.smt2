; Weaponmaster: choose an Equipment as the unit is played, pay, attach on resolution. Clauses 383, 821.

; The trigger that playing u sets off waits on the chain, having chosen g. 821.1.c: an Equipment you control,
; attached or not, with Equip or without (821.1.c.1); the unit itself is not chosen (821.1.c.6). Where the cost is
; paid as the trigger is finalized, what has no Equip is not paid for and nothing waits (821.1.c.4, 383.3.b); then
; this is no more than playing the unit. An item of this kind has the Equipment as its source and the unit as its
; target.
(define-fun trigger ((u Card) (g Card) (i Item)) Bool
  (and
    (weaponmaster u) (equipment g) (on_board g) (= (controller g) (owner u)) (not (= g u))
    (or reading.wm_pay_at.resolve (has_equip g))
    (triggered i) (= (source i) g) (= (target i) u) (= (holder i) (owner u))
    (put i)))

; The Equipment can be attached when the trigger resolves. 821.1.c.4: nothing can be paid without Equip;
; 821.1.c.7 with 359.3.e.2: it still is an Equipment its holder controls; guide: no unit is attached
(define-fun weaponmaster_works ((i Item)) Bool
  (and
    (triggered i) (not (lost i))
    (on_board (source i)) (on_board (target i))
    (has_equip (source i))
    (= (controller (source i)) (holder i))
    (=> reading.wm_unit_stolen.fail (= (controller (target i)) (holder i)))
    (or reading.units_attachable.yes (not (unit (source i))))))

; 821.1.c, 821.1.d
(define-fun resolve_weaponmaster ((i Item)) Bool (!
  (and
    (weaponmaster_works i) (take i)
    (attach_effect (source i) (target i))
    keep.turn)
  :action resolve_weaponmaster :together chain))

; An item leaves the chain without effect: what it needs is gone (359.3.e.5), or Weaponmaster's cost, where it is
; due only now, is not paid (821.1.c.5). The Equipment stays where and as it is.
(define-fun fizzle ((i Item)) Bool (!
  (and
    (not (equip_works i)) (or reading.wm_pay_at.resolve (not (weaponmaster_works i)))
    (take i)
    keep.on_board keep.at keep.controller keep.unit keep.statuses keep.attachment keep.turn)
  :action fizzle))
