import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { classes } from '../../../../ui/classes.ts';
import styles from '../claims.module.css';
import { type ClaimDay, rowKey } from '../shown/claim-groups.ts';
import { useDayInWords } from '../use-day-in-words.ts';
import { ClaimLine } from './claim-line.tsx';

interface DayRowProps {
  day: ClaimDay;
  respawn_name: string;
  today: string;
  onEdit: (claim: ClaimOnRespawn) => void;
  onDelete: (claim: ClaimOnRespawn) => void;
}

/** One date of a respawn. */
export function DayRow({ day, respawn_name, today, onEdit, onDelete }: DayRowProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const words = dayInWords(day);
  const isPast = day.date !== null && day.date < today;
  return (
    <div className={classes(styles.day, isPast && styles.past)}>
      <h3 className={styles.date}>
        {words}
        {day.date === today ? <Badge tone="accent">{t('time.today')}</Badge> : null}
        {isPast ? <Badge>{t('admin.claims.past')}</Badge> : null}
      </h3>
      <ul aria-label={t('admin.claims.dayOf', { respawn: respawn_name, date: words })} className={styles.lines}>
        {day.claims.map((claim) => (
          <ClaimLine
            key={rowKey(claim)}
            claim={claim}
            day={words}
            date={day.date ?? today}
            onEdit={() => onEdit(claim)}
            onDelete={() => onDelete(claim)}
          />
        ))}
      </ul>
    </div>
  );
}
