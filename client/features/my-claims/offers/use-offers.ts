import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { OwnWait } from '../../../state/own-waits.ts';
import type { Profile } from '../../../state/saved-profiles.ts';

/** Hours that are held for one of this browser's characters. */
export interface Offer extends HourRange {
  wait: Wait & { held_until: string };
  profile: Profile;
}

const isOffered = (own: OwnWait): own is OwnWait & Pick<Offer, 'wait'> => own.wait.status === 'offered' && own.wait.held_until !== null;

/** What is held now, what is over first, first; the same list until that changes. */
export function useOffers(own: readonly OwnWait[]): readonly Offer[] {
  const offered = useMemo(() => own.filter(isOffered), [own]);
  // They may be fewer than were waited for. A string is the same until that changes.
  const hours = useBoard(
    useShallow((board) =>
      offered.map(({ wait }) => {
        const claim = wait.held_claim_id === null ? undefined : board.byKind.claim.get(wait.held_claim_id);
        return `${claim?.hour_start ?? wait.hour_start} ${claim?.hour_end ?? wait.hour_end}`;
      }),
    ),
  );
  return useMemo(() => {
    const offers = offered.map(({ wait, profile }, i): Offer => {
      const [hour_start = wait.hour_start, hour_end = wait.hour_end] = (hours[i] ?? '').split(' ').map(Number);
      return { wait, profile, hour_start, hour_end };
    });
    return offers.sort((a, b) => Date.parse(a.wait.held_until) - Date.parse(b.wait.held_until));
  }, [offered, hours]);
}
