import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../shared/rules/hours.ts';
import styles from './hour-strip.module.css';
import { HoursText } from './hours-text.tsx';

export interface ChoosingLinesProps {
  /** The name is null for an admin. */
  choosing: readonly (HourRange & { id: string; name: string | null })[];
  /** The server-save date they are shown for. */
  date: string;
}

/** "Riley is choosing SS+10 to SS+14": a line per range that is hatched in the strip. */
export function ChoosingLines({ choosing, date }: ChoosingLinesProps): ReactNode {
  const { t } = useTranslation();
  if (choosing.length === 0) return null;
  return (
    <ul className={styles.lines}>
      {choosing.map(({ id, name, hour_start, hour_end }) => (
        <li key={`${id} ${hour_start} ${hour_end}`} className={styles.line}>
          <span className={styles.swatch} aria-hidden="true" />
          <span className="ellipsis">
            {t('board.presence.choosing', { name: name ?? t('board.presence.anAdmin') })}
          </span>{' '}
          <HoursText date={date} start={hour_start} end={hour_end} />
        </li>
      ))}
    </ul>
  );
}
