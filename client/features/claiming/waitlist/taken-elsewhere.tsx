import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import styles from './taken-elsewhere.module.css';
import { WaitButton } from './wait-button.tsx';

/** "taken, in Double week": whose hours they are that the board does not list. */
export function useTakenElsewhere(): (hours: OccupiedHours) => string {
  const { t } = useTranslation();
  return ({ event_name }) => (event_name === null ? t('board.elsewhere.noEvent') : t('board.elsewhere.inEvent', { event: event_name }));
}

interface TakenElsewhereProps {
  respawn_id: number;
  date: string;
  hours: readonly OccupiedHours[];
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  /** Whether the viewer may join the waitlist for hours up from this one; null: not on this date. */
  waitFrom: number | null;
}

/** The hours that claims of other events occupy, below those of this one. */
export function TakenElsewhere({ respawn_id, date, hours, viewer, waitFrom }: TakenElsewhereProps): ReactNode {
  const { t } = useTranslation();
  const takenBy = useTakenElsewhere();
  if (hours.length === 0) return null;
  return (
    <ul aria-label={t('board.elsewhere.list')} className={styles.list}>
      {hours.map((one) => {
        const { id, character_name, hour_start, hour_end } = one;
        const name = `${character_name}, ${takenBy(one)}`;
        const isMine = nameKey(character_name) === viewer;
        return (
          <li key={`${id} ${hour_start}`} className={styles.row}>
            <HoursText date={date} start={hour_start} end={hour_end} className={styles.hours} />
            <span className={styles.who}>
              {!isMine && waitFrom !== null && hour_end > waitFrom ? (
                <WaitButton claim={{ respawn_id, hour_start, hour_end }} date={date} count={0} name={name}>
                  {name}
                </WaitButton>
              ) : (
                name
              )}
            </span>
            {isMine ? <span className={styles.you}>{t('board.you')}</span> : null}
          </li>
        );
      })}
    </ul>
  );
}
