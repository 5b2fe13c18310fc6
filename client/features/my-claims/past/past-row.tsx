import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { endedByOther } from '../../../lib/ended-by-other.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { DateText } from '../../../ui/hours/date-text.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { useDay } from '../../claiming/hours/when-text.tsx';
import styles from '../mine.module.css';
import type { PastEntry } from './past-entries.ts';

/** One that is no more, and why. */
export function PastRow({ entry, withCharacter }: { entry: PastEntry; withCharacter: boolean }): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const dayOf = useDay(today);
  const thing = entry.of === 'claim' ? entry.ending : entry.wait;
  const known = useBoard((board) => board.byKind.respawn.get(thing.respawn_id)?.name);
  const spot = known ?? (entry.of === 'claim' ? entry.ending.respawn_name : '');
  return (
    <li className={styles.pastRow}>
      <span className={styles.pastDay}>{thing.date === null ? t('board.everyDay') : dayOf(thing.date)}</span>
      <HoursText date={entry.day} start={thing.hour_start} end={thing.hour_end} className={styles.pastHours} />
      <span className={styles.pastSpot}>
        {spot}
        {withCharacter ? <span className={styles.local}> ({thing.character_name})</span> : null}
      </span>
      <span className={styles.why}>
        <Why entry={entry} />
      </span>
    </li>
  );
}

function Why({ entry }: { entry: PastEntry }): ReactNode {
  const { t } = useTranslation();
  if (entry.of === 'wait') {
    const { status } = entry.wait;
    return status === 'waiting' || status === 'offered' ? null : t(`mine.past.wait.${status}`);
  }
  const { ending } = entry;
  return (
    <>
      {t(`endings.reason.${ending.reason}`)}
      {endedByOther(ending) ? ` (${ending.by})` : null} · <DateText at={ending.ended_at} />
    </>
  );
}
