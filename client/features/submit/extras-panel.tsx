import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../shared/schemas/event.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { nextDay } from './claim-dates.ts';
import styles from './claim-form.module.css';
import { sameHoursOn } from './row-check.ts';
import type { ClaimForm } from './use-claim-form.ts';

export interface ExtrasPanelProps {
  form: ClaimForm;
  event: Event | null;
  voucher: number;
}

/** What else can be done with the date in view. */
export function ExtrasPanel({ form, event, voucher }: ExtrasPanelProps): ReactNode {
  const { t } = useTranslation();
  const { state, change, takenOn } = form;
  const [refused, setRefused] = useState<{ date: string; why: 'beyondEvent' | 'alreadyAdded' } | null>(null);
  const row = state.rows.find(({ date }) => date === state.open_date);
  if (!row) return null;

  const configureNextDay = (): void => {
    const chosen = state.rows.map(({ date }) => date);
    const next = nextDay(row.date, chosen, event);
    if ('refused' in next) {
      setRefused({ date: row.date, why: next.refused });
      return;
    }
    setRefused(null);
    change({ type: 'date-added', row: sameHoursOn(next.date, row, voucher, takenOn(next.date)) });
  };

  return (
    <Panel>
      <div className={styles.extras}>
        <Button onClick={configureNextDay}>{t('submit.nextDay')}</Button>
      </div>
      {refused?.date === row.date ? (
        <p role="alert" className={styles.error}>
          {t(`submit.${refused.why}`)}
        </p>
      ) : null}
    </Panel>
  );
}
