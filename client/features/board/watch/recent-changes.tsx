import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { serverSaveTime } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { claimKey } from '../../../lib/claims.ts';
import { activeEventIn, type BoardState, useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { useNearDay } from '../../../state/near-day.ts';
import styles from './watch.module.css';

const MINUTE_MS = 60_000;

/** Claims made, moved and ended in the last ten minutes, newest first. */
export function RecentChangesPanel({ news }: { news: readonly RecentChange[] }): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const now = serverNow().getTime();
  const visibleChanges = latest(news, now);
  return (
    <aside className={styles.news} aria-labelledby="watch-news">
      <h2 id="watch-news">{t('board.watch.changes')}</h2>
      {visibleChanges.length === 0 ? (
        <p className={styles.quiet}>{t('board.watch.noChanges')}</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that */}
      <div role="log" aria-labelledby="watch-news" className={styles.log} tabIndex={0}>
        {visibleChanges.map((one) => (
          <RecentChangeRow
            key={one.key}
            news={one}
            today={today}
            minutes={Math.floor(Math.max(0, now - one.at) / MINUTE_MS)}
          />
        ))}
      </div>
    </aside>
  );
}

function RecentChangeRow({
  news: { kind, claim },
  today,
  minutes,
}: {
  news: RecentChange;
  today: string;
  minutes: number;
}): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name);
  const hours = t('time.range', { start: claim.hour_start, end: claim.hour_end });
  return (
    <div className={styles.line}>
      <p className={styles.what}>
        <b className={styles[kind]}>{t(`board.watch.${kind}`)}</b>
        <span>
          {minutes === 0 ? t('board.watch.justNow') : t('board.watch.ago', { count: minutes })}
        </span>
      </p>
      <p className={styles.where}>{spot}</p>
      <p className={styles.who}>
        {claim.character_name}{' '}
        <span>
          {claim.date === null || claim.date === today ? hours : `${hours}, ${nearDay(claim.date)}`}
        </span>
      </p>
    </div>
  );
}

/**
 * Changes of the last ten minutes, newest first, while mounted.
 * @param onNews called for each new change
 */
export function useRecentChanges(onNews: () => void): readonly RecentChange[] {
  const [news, setNews] = useState(() =>
    changesOnOpening(useBoard.getState().claimsByRespawn, serverNow().getTime()),
  );
  const report = useEffectEvent(onNews);
  useEffect(
    () =>
      useBoard.subscribe((board, before) => {
        if (board.claimsByRespawn === before.claimsByRespawn) return;
        const now = serverNow().getTime();
        // A different board: show its recent claims instead of treating everything as changed.
        if (
          before.status !== 'ready' ||
          board.epoch !== before.epoch ||
          activeEventIn(board)?.id !== activeEventIn(before)?.id
        ) {
          setNews(changesOnOpening(board.claimsByRespawn, now));
          return;
        }
        const event = activeEventIn(before);
        const { date, hour } = serverSaveTime(new Date(now), useServerSaveClock.getState());
        const isOver = (claim: ClaimOnRespawn): boolean => {
          const last = claim.date ?? (event ? eventDate(event.end_time) : date);
          return last < date || (last === date && claim.hour_end <= hour);
        };
        const fresh = changesBetween(before.claimsByRespawn, board.claimsByRespawn, now, isOver);
        if (fresh.length === 0) return;
        setNews((known) => latest([...fresh, ...known], now));
        report();
      }),
    [],
  );
  return news;
}

/** How long a change is listed, in milliseconds. */
export const RECENT_MS = 10 * 60_000;
/** Keep at most this many, the newest. */
export const MAX_RECENT_CHANGES = 100;

interface RecentChange {
  /** Of the claim and the moment. */
  key: string;
  kind: 'claimed' | 'moved' | 'ended' | 'offered' | 'offerEnded';
  /** The claim now; for an ended one, as it was. */
  claim: ClaimOnRespawn;
  /** When this page learned of it, in milliseconds of the server's clock. */
  at: number;
}

type Claims = BoardState['claimsByRespawn'];

const isSame = (a: ClaimOnRespawn, b: ClaimOnRespawn): boolean =>
  a.respawn_id === b.respawn_id &&
  a.date === b.date &&
  a.hour_start === b.hour_start &&
  a.hour_end === b.hour_end;

const claimedOrOffered = (claim: ClaimOnRespawn): RecentChange['kind'] =>
  claim.is_held ? 'offered' : 'claimed';

function differing(from: Claims, than: Claims): Map<string, ClaimOnRespawn> {
  const found = new Map<string, ClaimOnRespawn>();
  for (const [id, claims] of from) {
    if (claims === than.get(id)) continue;
    for (const claim of claims) found.set(claimKey(claim), claim);
  }
  return found;
}

/**
 * The changes between two states of the board.
 * @param isOver whether a claim's hours are over. The board drops such claims at server save, which is not a change to report.
 */
export function changesBetween(
  before: Claims,
  after: Claims,
  at: number,
  isOver: (claim: ClaimOnRespawn) => boolean,
): RecentChange[] {
  const old = differing(before, after);
  const now = differing(after, before);
  const news: RecentChange[] = [];
  const report = (kind: RecentChange['kind'], claim: ClaimOnRespawn): void => {
    news.push({ key: `${claimKey(claim)} ${at} ${kind}`, kind, claim, at });
  };
  for (const [key, claim] of now) {
    const was = old.get(key);
    // A taken hold becomes a claim.
    if (!was || (was.is_held && !claim.is_held)) report(claimedOrOffered(claim), claim);
    else if (!isSame(was, claim)) report('moved', claim);
  }
  for (const [key, claim] of old)
    if (!now.has(key) && !isOver(claim)) report(claim.is_held ? 'offerEnded' : 'ended', claim);
  return news;
}

/** Claims made shortly before watch mode was opened, newest first. */
export function changesOnOpening(claims: Claims, now: number): RecentChange[] {
  const news: RecentChange[] = [];
  for (const list of claims.values()) {
    for (const claim of list) {
      const at = Date.parse(claim.created_at);
      const kind = claimedOrOffered(claim);
      if (now - at < RECENT_MS)
        news.push({ key: `${claimKey(claim)} ${at} ${kind}`, kind, claim, at });
    }
  }
  return latest(
    news.sort((a, b) => b.at - a.at),
    now,
  );
}

/** Drops changes that are too old or too many. */
export const latest = (news: readonly RecentChange[], now: number): RecentChange[] =>
  news.filter(({ at }) => now - at < RECENT_MS).slice(0, MAX_RECENT_CHANGES);
