import { useEffect, useEffectEvent, useState } from 'react';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { serverSaveTime } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { activeEventIn, useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock } from '../../../state/clock.ts';
import { latest, type News, newsBetween, newsOnOpening } from './news.ts';

/**
 * What changed in the last ten minutes, the latest first, for as long as somebody watches.
 * @param onNews something has changed just now
 */
export function useNews(onNews: () => void): readonly News[] {
  const [news, setNews] = useState(() => newsOnOpening(useBoard.getState().claimsByRespawn, serverNow().getTime()));
  const tell = useEffectEvent(onNews);
  useEffect(
    () =>
      useBoard.subscribe((board, before) => {
        if (board.claimsByRespawn === before.claimsByRespawn) return;
        const now = serverNow().getTime();
        // Of another board everything is new, and nothing news.
        if (before.status !== 'ready' || board.epoch !== before.epoch || activeEventIn(board)?.id !== activeEventIn(before)?.id) {
          setNews(newsOnOpening(board.claimsByRespawn, now));
          return;
        }
        const event = activeEventIn(before);
        const { date, hour } = serverSaveTime(new Date(now), useServerSaveClock.getState());
        const isOver = (claim: ClaimOnRespawn): boolean => {
          const last = claim.date ?? (event ? eventDate(event.end_time) : date);
          return last < date || (last === date && claim.hour_end <= hour);
        };
        const fresh = newsBetween(before.claimsByRespawn, board.claimsByRespawn, now, isOver);
        if (fresh.length === 0) return;
        setNews((known) => latest([...fresh, ...known], now));
        tell();
      }),
    [],
  );
  return news;
}
