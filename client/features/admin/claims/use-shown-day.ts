import { useMemo } from 'react';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useClaimTime } from '../../../state/permissions.ts';
import { datesOnOffer } from '../../claiming/draft/draft.ts';
import { type DayFilter, eventsOn } from './shown/claim-groups.ts';

/** In place of a date: every day, and the hour that runs. */
export const ALL_DAYS = 'all';
export const NOW = 'now';

export interface ShownDay {
  /** null: every day. */
  filter: DayFilter | null;
  /** Those to choose from; none in a single_claim event, whose days are all alike. */
  dates: readonly string[];
  /** The one that is in view; empty: none of them alone. */
  date: string;
  today: string;
}

/** Which day's claims are shown: today's unless another is asked for; while an event is to come or over, its nearest one's. */
export function useShownDay(asked: string): ShownDay {
  const event = useActiveEvent();
  const time = useClaimTime(true);
  const { today, hour } = time;
  const isSingle = event?.type === 'single_claim';
  const offered = isSingle ? [] : datesOnOffer(event, time);
  const [first = today, last = today] = [offered[0], offered.at(-1)];
  const nearest = today < first ? first : today > last ? last : today;
  const isEvery = asked === ALL_DAYS || (isSingle && asked !== NOW);
  const date = isEvery || asked === NOW ? '' : asked || nearest;
  const wanted = isEvery ? null : date || today;
  const events = useBoard((board) => (wanted === null ? '' : eventsOn(board.byKind.event.values(), wanted)));
  const wantedHour = asked === NOW ? hour : null;
  const filter = useMemo(() => (wanted === null ? null : { date: wanted, hour: wantedHour, events }), [wanted, wantedHour, events]);
  const dates = date === '' || offered.includes(date) ? offered : [...offered, date].sort();
  return { filter, dates, date, today };
}
