import type { ServerSaveClock } from '../../../../shared/rules/server-save.ts';
import type { Ending } from '../../../../shared/schemas/ending.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { dayOfEnding } from '../../../lib/day-of-ending.ts';
import { compareText } from '../../../lib/words/order.ts';

/** Something of one's own that is no more. */
export type PastEntry = {
  key: string;
  /** The server-save date it was for; of a claim for a whole event the one on which it ended. */
  day: string;
} & ({ of: 'claim'; ending: Ending } | { of: 'wait'; wait: Wait });

/**
 * Claims that ended otherwise than by being over, and waits that ended, by the date they were for, the latest first. With a hold
 * that was not taken a wait ended, too: it is told once, as the hours that were offered.
 */
export function pastEntries(endings: readonly Ending[], waits: readonly Wait[], clock: ServerSaveClock): PastEntry[] {
  const ended = new Set(endings.map(({ claim_id }) => claim_id));
  const all: PastEntry[] = [
    ...endings.map(
      (ending): PastEntry => ({
        key: `claim ${ending.id}`,
        day: dayOfEnding(ending, clock),
        of: 'claim',
        ending,
      }),
    ),
    ...waits
      .filter(({ status, held_claim_id }) => status === 'accepted' || held_claim_id === null || !ended.has(held_claim_id))
      .map((wait): PastEntry => ({ key: `wait ${wait.id}`, day: wait.date, of: 'wait', wait })),
  ];
  return all.sort((a, b) => compareText(b.day, a.day) || hourOf(b) - hourOf(a) || compareText(a.key, b.key));
}

const thing = (entry: PastEntry): Ending | Wait => (entry.of === 'claim' ? entry.ending : entry.wait);
const hourOf = (entry: PastEntry): number => thing(entry).hour_start;
