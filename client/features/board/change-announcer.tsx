import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../state/board-store.ts';
import { onChangedSpots } from './live-changes.ts';

/** Changes that come close together are read out as one. */
const BATCH_MS = 3000;
const MOST_NAMED = 3;

/** Tells screen readers what changed. */
export function ChangeAnnouncer(): ReactNode {
  const { t } = useTranslation();
  const [{ spots, round }, setNews] = useState<{ spots: readonly number[]; round: number }>({ spots: [], round: 0 });
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
  const names = spots.map((id) => useBoard.getState().byKind.respawn.get(id)?.name).filter((name) => name !== undefined);
  const list = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length - MOST_NAMED;
  // The same sentence again would be no change of the page, and nothing would be read.
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
