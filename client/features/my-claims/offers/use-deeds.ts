import { useEffect, useRef, useState } from 'react';
import { nameKey } from '../../../../shared/rules/names.ts';
import { isHoldOver } from '../../../../shared/rules/waits.ts';
import { acceptWait, declineWait } from '../../../api/calls.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow } from '../../../state/clock.ts';
import type { HoldAnswer } from '../../../ui/take-or-let-go.tsx';
import type { Offer } from './use-offers.ts';

/** What is to be said of an offer: that it is being answered, that the answer was refused, or that its time is over. */
type Standing =
  | { status: 'open' }
  | { status: 'busy'; deed: HoldAnswer }
  | { status: 'failed'; error: unknown }
  /** Answered here: the board says so in a moment. */
  | { status: 'done' }
  | { status: 'over' };

export interface StandingOffer {
  offer: Offer;
  standing: Standing;
  /** It is not held any more: nothing can be answered. */
  isGone: boolean;
}

const OPEN: Standing = { status: 'open' };

interface Deeds {
  /** What is held, and what there still is to be said of what was. */
  shown: readonly StandingOffer[];
  /** Answers whether it was done. */
  answer: (offer: Offer, deed: HoldAnswer) => Promise<boolean>;
  dismiss: (offer: Offer) => void;
}

/** Answers to offers, and what became of those that nobody answered here. The board alone says what is held. */
export function useDeeds(offers: readonly Offer[]): Deeds {
  const [said, setSaid] = useState<ReadonlyMap<number, { offer: Offer; standing: Standing }>>(new Map());
  const say = (offer: Offer, standing: Standing): void => setSaid((before) => new Map(before).set(offer.wait.id, { offer, standing }));
  const before = useRef<readonly Offer[]>([]);
  useEffect(() => {
    const now = serverNow();
    const gone = before.current.filter(({ wait }) => !offers.some((offer) => offer.wait.id === wait.id));
    before.current = offers;
    setSaid((known) => {
      const next = new Map(known);
      for (const offer of gone) {
        const standing = known.get(offer.wait.id)?.standing ?? OPEN;
        if (standing.status === 'busy' || standing.status === 'over') continue;
        // Taken after all, here by a lost answer or in another tab; let go, or called off: there is nothing to say.
        const isLost = isHoldOver(offer.wait, now) && standing.status !== 'done' && !isTaken(offer);
        if (isLost) next.set(offer.wait.id, { offer, standing: { status: 'over' } });
        else if (standing.status !== 'failed' || isTaken(offer)) next.delete(offer.wait.id);
      }
      return next;
    });
  }, [offers]);

  const answer = async (offer: Offer, deed: HoldAnswer): Promise<boolean> => {
    if (said.get(offer.wait.id)?.standing.status === 'busy') return false;
    say(offer, { status: 'busy', deed });
    try {
      await (deed === 'take' ? acceptWait : declineWait)(offer.wait.id, offer.profile.accessKey);
      say(offer, { status: 'done' });
      return true;
    } catch (error) {
      // Another tab, or a try whose answer was lost, may have taken it.
      const isDone = deed === 'take' && isTaken(offer);
      say(offer, isDone ? { status: 'done' } : { status: 'failed', error });
      return isDone;
    } finally {
      refreshBoard();
    }
  };

  const open = offers.map((offer): StandingOffer => ({ offer, standing: said.get(offer.wait.id)?.standing ?? OPEN, isGone: false }));
  const rest = [...said.values()]
    .filter(({ offer }) => !offers.some(({ wait }) => wait.id === offer.wait.id))
    .map((one): StandingOffer => ({ ...one, isGone: true }));
  return {
    shown: [...open, ...rest].filter(({ standing }) => standing.status !== 'done'),
    answer,
    dismiss: ({ wait }) =>
      setSaid((known) => {
        const next = new Map(known);
        next.delete(wait.id);
        return next;
      }),
  };
}

/** Whether what was held is an ordinary claim of the same character by now. */
function isTaken({ wait, profile }: Offer): boolean {
  const claim = wait.held_claim_id === null ? undefined : useBoard.getState().byKind.claim.get(wait.held_claim_id);
  return claim !== undefined && !claim.is_held && nameKey(claim.character_name) === nameKey(profile.characterName);
}
