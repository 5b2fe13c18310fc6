import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { DateChips } from '../../../ui/fields/date-chips.tsx';
import styles from './claims.module.css';
import { ALL_DAYS, NOW, type ShownDay } from './use-shown-day.ts';

interface DayChipsProps {
  shown: ShownDay;
  asked: string;
  onChange: (day: string) => void;
}

/** Whose hour runs, every day, or one of them. A second press on what is chosen leads back to how the tab opens. */
export function DayChips({ shown: { dates, date, today, filter }, asked, onChange }: DayChipsProps): ReactNode {
  const { t } = useTranslation();
  const toggle = (day: string, isOn: boolean, label: string): ReactNode => (
    <Button aria-pressed={isOn} onClick={() => onChange(isOn ? '' : day)}>
      {label}
    </Button>
  );
  return (
    <div className={styles.days}>
      <div className={styles.toggles}>
        {toggle(NOW, asked === NOW, t('admin.claims.day.now'))}
        {dates.length > 0 ? toggle(ALL_DAYS, filter === null, t('admin.claims.day.all')) : null}
      </div>
      {dates.length > 0 ? (
        <div className={styles.dates}>
          <DateChips
            low
            label={t('admin.claims.day.label')}
            dates={dates}
            value={date}
            today={today}
            onChange={(next) => onChange(next === today ? '' : next)}
          />
        </div>
      ) : null}
    </div>
  );
}
