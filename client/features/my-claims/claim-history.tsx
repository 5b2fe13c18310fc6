import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerSaveClock } from '../../../shared/rules/server-save.ts';
import type { Ending } from '../../../shared/schemas/ending.ts';
import type { EndedTransfer } from '../../../shared/schemas/transfer.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { getMyEndings } from '../../api/calls.ts';
import { refreshQuery, useServerQueries } from '../../api/query.ts';
import { claimKey, dayOfEnding, endedByOther } from '../../lib/claims.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { compareText } from '../../lib/words/order.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { useNearDay } from '../../state/near-day.ts';
import { useOwnTransfers, useOwnWaits } from '../../state/own-claims.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { FailedLoad } from '../../ui/alert.tsx';
import { HoursText } from '../../ui/hours/hours-text.tsx';
import { DateText } from '../../ui/hours/time-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useMyClaims } from './my-claim-row.tsx';
import styles from './my-claims.module.css';

/** Days of history shown. */
const DAYS = 30;

/** Claims and waitlist entries that ended in the last days; read again when one leaves the board. */
export function ClaimHistory(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const profiles = useSession((session) => session.profiles);
  const { withCharacter } = useMyClaims();
  const seen = useHistoryKey();
  const clock = useServerSaveClock();
  const { status, error, endings, waits, transfers, askAgain } = useMyEndings(profiles, DAYS, seen);
  const entries = useMemo(
    () => pastEntries(endings, waits, clock, transfers),
    [endings, waits, clock, transfers],
  );
  return (
    <Panel title={t('myClaims.history.title', { days: DAYS })} flush className={styles.panel}>
      <div className={styles.list}>
        {status === 'failed' ? (
          <FailedLoad
            sentence={t('myClaims.history.failed')}
            reason={errorText(error)}
            onTryAgain={askAgain}
            className={styles.failed}
          />
        ) : null}
        {status === 'loading' ? (
          <Loading className={styles.skeletons}>
            {[44, 44, 44].map((height, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
              <Skeleton key={at} height={height} />
            ))}
          </Loading>
        ) : null}
        {status === 'ready' && entries.length === 0 ? (
          <p className={styles.none}>{t('myClaims.history.none')}</p>
        ) : null}
        {entries.length > 0 ? (
          <ul>
            {entries.map((entry) => (
              <PastRow key={entry.key} entry={entry} withCharacter={withCharacter} />
            ))}
          </ul>
        ) : null}
      </div>
    </Panel>
  );
}

/** Changes when a claim or waitlist entry of this browser's characters changes. */
function useHistoryKey(): string {
  const { claims } = useMyClaims();
  const waits = useOwnWaits();
  const transfers = useOwnTransfers();
  const reconnects = useReconnects();
  const ofClaims = claims.map((claim) => `${claimKey(claim)} ${claim.hour_end} ${claim.is_held}`);
  return [
    reconnects,
    ...ofClaims,
    ...waits.map(({ wait }) => `${wait.id} ${wait.status}`),
    ...transfers.map(({ transfer }) => transfer.id),
  ].join();
}

/** How often the live connection was lost and returned: it doesn't say what ended meanwhile. */
function useReconnects(): number {
  const isLive = useBoard((board) => board.connection === 'live');
  const [known, setKnown] = useState({ isLive, wasLive: isLive, count: 0 });
  if (known.isLive !== isLive) {
    const { wasLive, count } = known;
    setKnown({ isLive, wasLive: wasLive || isLive, count: count + (isLive && wasLive ? 1 : 0) });
  }
  return known.count;
}

function PastRow({
  entry,
  withCharacter,
}: {
  entry: PastEntry;
  withCharacter: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const dayOf = useNearDay();
  const thing = thingOf(entry);
  const known = useBoard((board) => board.byKind.respawn.get(thing.respawn_id)?.name);
  const spot =
    known ??
    (entry.type === 'claim'
      ? entry.ending.respawn_name
      : entry.type === 'transfer'
        ? entry.transfer.offered.respawn_name
        : '');
  return (
    <li className={styles.pastRow}>
      <span className={styles.pastDay}>
        {thing.date === null ? t('board.everyDay') : dayOf(thing.date)}
      </span>
      <HoursText
        date={entry.day}
        start={thing.hour_start}
        end={thing.hour_end}
        className={styles.pastHours}
      />
      <span className={styles.pastSpot}>
        {spot}
        {withCharacter ? <span className="faint small"> ({thing.character_name})</span> : null}
      </span>
      <span className={styles.why}>
        <Reason entry={entry} />
      </span>
    </li>
  );
}

function Reason({ entry }: { entry: PastEntry }): ReactNode {
  const { t } = useTranslation();
  if (entry.type === 'wait') {
    const { status } = entry.wait;
    return status === 'waiting' || status === 'offered'
      ? null
      : t(`myClaims.history.wait.${status}`);
  }
  if (entry.type === 'transfer') {
    const { from, to, outcome, ended_at } = entry.transfer;
    return (
      <>
        {t('transfer.ended', { from, to, outcome: t(`transfer.outcome.${outcome}`) })} ·{' '}
        <DateText at={ended_at} />
      </>
    );
  }
  const { ending } = entry;
  return (
    <>
      {t(`claimHistory.reason.${ending.reason}`)}
      {ending.excused_by === null ? null : ` · ${t('myClaims.history.excused')}`}
      {ending.to_name === null ? null : ` · ${t('claimHistory.to', { name: ending.to_name })}`}
      {endedByOther(ending) && ending.by !== ending.to_name ? ` (${ending.by})` : null} ·{' '}
      <DateText at={ending.ended_at} />
    </>
  );
}

type PastEntry = {
  key: string;
  /** The server-save date it was for; of a claim for a whole event the one on which it ended. */
  day: string;
} & (
  | { type: 'claim'; ending: Ending }
  | { type: 'wait'; wait: Wait }
  | { type: 'transfer'; transfer: EndedTransfer }
);

/**
 * Claims that ended early and ended waitlist entries, by date, latest first. A hold that wasn't taken ended an entry, too: list it once,
 * as the offered hours.
 */
export function pastEntries(
  endings: readonly Ending[],
  waits: readonly Wait[],
  clock: ServerSaveClock,
  transfers: readonly EndedTransfer[] = [],
): PastEntry[] {
  const ended = new Set(endings.map(({ claim_id }) => claim_id));
  const all: PastEntry[] = [
    ...endings.map(
      (ending): PastEntry => ({
        key: `claim ${ending.id}`,
        day: dayOfEnding(ending, clock),
        type: 'claim',
        ending,
      }),
    ),
    ...waits
      .filter(
        ({ status, held_claim_id }) =>
          status === 'accepted' || held_claim_id === null || !ended.has(held_claim_id),
      )
      .map((wait): PastEntry => ({ key: `wait ${wait.id}`, day: wait.date, type: 'wait', wait })),
    // One between two characters here is listed once.
    ...[...new Map(transfers.map((transfer) => [transfer.id, transfer])).values()].map(
      (transfer): PastEntry => ({
        key: `transfer ${transfer.id}`,
        day: dayOfEnding({ date: transfer.offered.date, ended_at: transfer.ended_at }, clock),
        type: 'transfer',
        transfer,
      }),
    ),
  ];
  return all.sort(
    (a, b) => compareText(b.day, a.day) || hourOf(b) - hourOf(a) || compareText(a.key, b.key),
  );
}

function thingOf(
  entry: PastEntry,
): Pick<Ending, 'respawn_id' | 'date' | 'hour_start' | 'hour_end' | 'character_name'> {
  if (entry.type === 'transfer')
    return { ...entry.transfer.offered, character_name: entry.transfer.from };
  return entry.type === 'claim' ? entry.ending : entry.wait;
}
const hourOf = (entry: PastEntry): number => thingOf(entry).hour_start;

interface MyClaimHistory {
  /** `loading`: the first time. Loaded entries stay while they are refreshed. */
  status: 'loading' | 'ready' | 'failed';
  /** Why it couldn't be read for one of the characters; the others' entries are here. */
  error: unknown;
  endings: readonly Ending[];
  waits: readonly Wait[];
  transfers: readonly EndedTransfer[];
  askAgain: () => void;
}

const MY_ENDINGS = 'my endings';

/**
 * The history of some characters, read with each one's key.
 * @param seen a change of it reloads
 */
function useMyEndings(profiles: readonly Profile[], days: number, seen: string): MyClaimHistory {
  const queries = useServerQueries(
    profiles.map(({ characterName, accessKey }) => ({
      queryKey: [MY_ENDINGS, characterName, days],
      queryFn: ({ signal }) => getMyEndings(days, accessKey, signal),
      meta: { hasOwnKey: true, followsBoard: true },
      gcTime: 0,
    })),
  );
  const keys = profiles.map((profile) => profile.accessKey).join(' ');
  const read = useRef({ keys, seen });
  useEffect(() => {
    if (read.current.keys === keys && read.current.seen === seen) return;
    read.current = { keys, seen };
    void refreshQuery(MY_ENDINGS);
  }, [keys, seen]);
  const failed = queries.find(({ error }) => error !== null);
  return {
    status: failed ? 'failed' : queries.some(({ isPending }) => isPending) ? 'loading' : 'ready',
    error: failed?.error ?? null,
    endings: queries.flatMap(({ data }) => data?.endings ?? []),
    waits: queries.flatMap(({ data }) => data?.waits ?? []),
    transfers: queries.flatMap(({ data }) => data?.transfers ?? []),
    askAgain: () => void refreshQuery(MY_ENDINGS),
  };
}
