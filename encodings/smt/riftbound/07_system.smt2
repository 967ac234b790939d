; Where games start, and that a step is one of the actions.

; Cards on the board are in their owner's base, nothing is attached and nothing pending.
(define-fun init () Bool (!
  (and
    (forall ((c Card)) (=> (on_board c) (= (at c) (base (owner c)))))
    (forall ((c Card)) (= (controller c) (owner c)))
    (forall ((c Card)) (= (unit c) (not (gear c))))
    (forall ((g Card) (t Card)) (not (attached g t)))
    (forall ((x Card) (y Card)) (= (hangs x y) (= x y)))
    (forall ((c Card)) (not (equipped c)))
    (forall ((c Card)) (not (asleep c)))
    (forall ((c Card)) (not (stunned c)))
    (forall ((i Item)) (not (pending i)))
    (forall ((i Item)) (not (lost i))))
  :init true))

(define-fun trans () Bool (!
  (or
    (exists ((g Card) (t Card)) (attach g t))
    (exists ((g Card)) (detach g))
    (exists ((g Card) (u Card) (i Item)) (equip g u i))
    (exists ((g Card) (u Card)) (equip_at_once g u))
    (exists ((i Item)) (resolve_equip i))
    (exists ((i Item)) (resolve_weaponmaster i))
    (exists ((i Item)) (fizzle i))
    (exists ((c Card) (l Location)) (play_unit c l))
    (exists ((c Card) (l Location) (g Card) (i Item)) (play_weaponmaster c l g i))
    (exists ((c Card)) (play_gear c))
    (exists ((u Card) (l Location)) (move u l))
    (exists ((c Card)) (recall c))
    (exists ((g Card)) (cleanup_gear g))
    (exists ((c Card) (p Player)) (cleanup_foreign c p))
    (exists ((c Card)) (leave c))
    (exists ((c Card) (p Player)) (take_control c p))
    (exists ((g Card)) (become_unit g))
    (exists ((g Card)) (stop_unit g))
    (exists ((c Card)) (exhaust c))
    (exists ((u Card)) (stun u))
    (exists ((p Player)) (end_turn p)))
  :trans true))
