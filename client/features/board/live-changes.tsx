import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { claimKey } from '../../lib/claims.ts';
import { type BoardState, useBoard } from '../../state/board-store.ts';

/** How long a change stays highlighted: as long as its chip fades. */
const MARKED_MS = 8000;

/** Claim rows and spots that just changed. */
export const useJustChanged = create<{ rows: ReadonlySet<string>; spots: ReadonlySet<number> }>(
  () => ({
    rows: new Set(),
    spots: new Set(),
  }),
);

const isSame = (a: ClaimOnRespawn, b: ClaimOnRespawn): boolean =>
  a.hour_start === b.hour_start &&
  a.hour_end === b.hour_end &&
  a.date === b.date &&
  a.character_name === b.character_name;

interface Changed {
  rows: string[];
  spots: number[];
}

/** The new or changed claims of each spot. Re-reading the same board is no change. */
function changedClaims(
  before: BoardState['claimsByRespawn'],
  after: BoardState['claimsByRespawn'],
): Changed {
  const changed: Changed = { rows: [], spots: [] };
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(id) ?? [];
    const now = after.get(id) ?? [];
    if (old === now) continue;
    const known = new Map(old.map((claim) => [claimKey(claim), claim]));
    const fresh = now.filter((claim) => {
      const was = known.get(claimKey(claim));
      return !was || !isSame(was, claim);
    });
    if (fresh.length === 0 && old.length === now.length) continue;
    changed.rows.push(...fresh.map(claimKey));
    changed.spots.push(id);
  }
  return changed;
}

type Listener = (spots: readonly number[]) => void;
const listeners = new Set<Listener>();

/**
 * Calls `listener` with the spots whose claims changed.
 * @returns a function that stops listening
 */
export function onChangedSpots(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Never unsubscribed: every view highlights changes.
useBoard.subscribe((board, before) => {
  if (
    before.status !== 'ready' ||
    board.status !== 'ready' ||
    board.claimsByRespawn === before.claimsByRespawn
  )
    return;
  const changed = changedClaims(before.claimsByRespawn, board.claimsByRespawn);
  if (changed.spots.length === 0) return;
  mark(changed);
  for (const listener of listeners) listener(changed.spots);
});

function mark({ rows, spots }: Changed): void {
  const { rows: markedRows, spots: markedSpots } = useJustChanged.getState();
  useJustChanged.setState({
    rows: new Set([...markedRows, ...rows]),
    spots: new Set([...markedSpots, ...spots]),
  });
  setTimeout(() => {
    useJustChanged.setState((now) => ({
      rows: new Set([...now.rows].filter((row) => !rows.includes(row))),
      spots: new Set([...now.spots].filter((spot) => !spots.includes(spot))),
    }));
  }, MARKED_MS);
}

/** Changes within this time are announced together. */
const BATCH_MS = 3000;
const MAX_NAMED = 3;

export function ChangeAnnouncer(): ReactNode {
  const { t } = useTranslation();
  const [{ spots, round }, setNews] = useState<{ spots: readonly number[]; round: number }>({
    spots: [],
    round: 0,
  });
  useEffect(() => {
    const collected = new Set<number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChangedSpots((changed) => {
      for (const id of changed) collected.add(id);
      timer ??= setTimeout(() => {
        const changed = [...collected];
        setNews((before) => ({ spots: changed, round: before.round + 1 }));
        collected.clear();
        timer = undefined;
      }, BATCH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  const names = spots
    .map((id) => useBoard.getState().byKind.respawn.get(id)?.name)
    .filter((name) => name !== undefined);
  const list = names.slice(0, MAX_NAMED).join(', ');
  const more = names.length - MAX_NAMED;
  // A live region announces only changes, so make a repeated sentence differ.
  const unlikeLast = round % 2 === 0 ? '' : '\u00a0';
  return (
    <p role="status" className="visually-hidden">
      {names.length === 0
        ? ''
        : more > 0
          ? t('board.changedMore', { list, count: more })
          : t('board.changed', { list, count: names.length })}
      {unlikeLast}
    </p>
  );
}
