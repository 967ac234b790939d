; Playing, moving, recalling, leaving, and the Cleanup. Clauses 318-323, 349-359, 428, 440-453, 719.

(declare-const clause.124.1 Bool)
(declare-const clause.719.3.a Bool)
(declare-const clause.719.5 Bool)

; Where a unit of p may go: its base, or a battlefield; who controls which battlefield is left open. 355.2.a, 440
(define-fun reachable ((p Player) (l Location)) Bool (or (= l (base p)) (battlefield l)))

; c comes onto the board at l. 124.1: as a new object; 359.2.c-d: a unit exhausted, gear ready
(define-fun enters ((c Card) (l Location)) Bool
  (and
    open (not (on_board c)) (= (owner c) turn)
    (forall ((x Card)) (= (on_board.next x) (or (on_board x) (= x c))))
    (forall ((x Card)) (= (at.next x) (ite (= x c) l (at x))))
    (forall ((x Card)) (= (exhausted.next x) (ite (= x c) (not (gear c)) (exhausted x))))
    keep.stunned keep.controller keep.unit keep.attachment keep.turn))

; 349-359
(define-fun play_unit ((c Card) (l Location)) Bool (!
  (and (not (gear c)) (reachable (owner c) l) (enters c l) keep.chain)
  :action play_unit))

; 821.1.b: a play effect of the unit
(define-fun play_weaponmaster ((c Card) (l Location) (g Card) (i Item)) Bool (!
  (and (not (gear c)) (reachable (owner c) l) (enters c l) (trigger c g i))
  :action play_weaponmaster))

; 149.2, 359.2.d: gear is played to base, unattached
(define-fun play_gear ((c Card)) Bool (!
  (and (gear c) (enters c (base (owner c))) keep.chain)
  :action play_gear))

; c goes to l, and what hangs on it goes along if `carries`. 719.3, 719.3.a
(define-fun relocates ((c Card) (l Location) (carries Bool)) Bool
  (forall ((x Card)) (= (at.next x) (ite (or (= x c) (and carries (hangs x c))) l (at x)))))

; 440-448; 718.5.c: what is attached cannot be moved by itself
(define-fun move ((u Card) (l Location)) Bool (!
  (and
    open (unit u) (on_board u) (= (controller u) turn) (not (exhausted u)) (free u)
    (reachable turn l) (not (= l (at u)))
    (relocates u l clause.719.3.a)
    (forall ((x Card)) (= (exhausted.next x) (or (exhausted x) (= x u))))
    keep.stunned keep.on_board keep.controller keep.unit keep.attachment keep.turn keep.chain)
  :action move))

; A recall is no Move (451), so before 1.4 only 719.3 itself says that attached cards go along (G15).
(define-fun recall_carries () Bool
  (and clause.719.3.a (or version.1.4 (not reading.bearer_recall_carries.no))))

; An effect recalls a card to its controller's base. 449-453; an attached one cannot go by itself (718.5.c, G17)
(define-fun recall ((c Card)) Bool (!
  (and
    (on_board c) (free c)
    (relocates c (base (controller c)) recall_carries)
    keep.statuses keep.on_board keep.controller keep.unit keep.attachment keep.turn keep.chain)
  :action recall))

; 323.7, 149.3: the Cleanup recalls gear that is unattached at a battlefield and no unit. One card at a time,
; and at any time: more boards than the rules allow between two of them.
(define-fun cleanup_gear ((g Card)) Bool (!
  (and
    (on_board g) (gear g) (not (unit g)) (battlefield (at g))
    (or (free g) (and reading.cleanup_recalls.all_gear (not version.1.4)))
    (relocates g (base (controller g)) recall_carries)
    keep.statuses keep.on_board keep.controller keep.unit keep.attachment keep.turn keep.chain)
  :action cleanup_gear :together cleanup))

; 323.7, second half: and whatever stands in a base that is not its controller's; to the letter also what is
; attached (G13), against 107.1.c.1
(define-fun cleanup_foreign ((c Card) (p Player)) Bool (!
  (and
    (on_board c) (= (at c) (base p)) (not (= p (controller c)))
    (or (free c) reading.recall_foreign_attached.yes)
    (relocates c (base (controller c)) recall_carries)
    keep.statuses keep.on_board keep.controller keep.unit keep.attachment keep.turn keep.chain)
  :action cleanup_foreign :together cleanup))

; c goes from the board to some other zone: killed, returned, recycled. 428, 719.5: what is attached to it
; detaches and stays where it was (435.4.b); 124.1: what it was attached to, and all it was, is over
(define-fun leave ((c Card)) Bool (!
  (and
    (on_board c)
    (forall ((x Card)) (= (on_board.next x) (and (on_board x) (not (= x c)))))
    keep.at
    (forall ((x Card) (y Card)) (= (attached.next x y)
      (and (attached x y) (not (and clause.124.1 (= x c))) (not (and clause.719.5 (= y c))))))
    (forall ((x Card) (y Card)) (= (hangs.next x y)
      (or (= x y)
          (and (hangs x y)
               (not (and clause.124.1 (off c x y)))
               (not (and clause.719.5 (hangs x c) (hangs c y) (not (= x c))))))))
    (forall ((x Card)) (= (equipped.next x) (and (not (= x c)) (still_equipped c x))))
    (forall ((x Card)) (= (asleep.next x)
      (and (asleep x) (not (= x c)) (not (and clause.719.5 (attached x c))))))
    (forall ((x Card)) (= (exhausted.next x) (and (exhausted x) (not (= x c)))))
    (forall ((x Card)) (= (stunned.next x) (and (stunned x) (not (= x c)))))
    (forall ((x Card)) (= (controller.next x) (ite (= x c) (owner c) (controller x))))
    (forall ((x Card)) (= (unit.next x) (ite (= x c) (not (gear c)) (unit x))))
    ; 359.3.e.2, 359.3.e.4: an item that named it has lost it, even should it come back
    (forall ((i Item)) (= (lost.next i) (or (lost i) (and (pending i) (or (= (source i) c) (= (target i) c))))))
    keep.pending keep.turn)
  :action leave :together leaving))
