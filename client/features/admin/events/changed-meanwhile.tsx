import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { formatLocale } from '../../../lib/format-locale.ts';
import { dateInWords } from '../../../lib/local-time.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { differingFields, type EventValues } from './event-values.ts';
import styles from './events.module.css';

export interface ChangedMeanwhileProps {
  ref: Ref<HTMLDivElement>;
  before: EventValues;
  theirs: EventValues;
  onLoad: () => void;
  onKeep: () => void;
}

const LABEL = { name: 'name', type: 'type', start_time: 'start', end_time: 'end', single_claim_template: 'template' } as const;

/** Another admin saved the event while it is edited here: whose version stays is asked before anything is overwritten. */
export function ChangedMeanwhile({ ref, before, theirs, onLoad, onKeep }: ChangedMeanwhileProps): ReactNode {
  const { t, i18n } = useTranslation();
  const valueInWords = (field: keyof EventValues): string => {
    if (field === 'type') return t(`admin.events.type.${theirs.type}`);
    if (field === 'start_time' || field === 'end_time') {
      const date = dateInWords(eventDate(theirs[field]), formatLocale(i18n.language), { day: 'numeric', month: 'short', year: 'numeric' });
      return `${date}, ${theirs[field].slice(11, 16)}`;
    }
    return theirs[field] || t('admin.events.changed.none');
  };
  return (
    <div ref={ref} tabIndex={-1} className={styles.notice}>
      <Alert tone="accent" title={t('admin.events.changed.title')}>
        <p>{t('admin.events.changed.text')}</p>
        <dl className={styles.theirs}>
          {differingFields(before, theirs).map((field) => (
            <div key={field}>
              <dt>{t(`admin.events.form.${LABEL[field]}`)}</dt>
              <dd>{valueInWords(field)}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.choices}>
          <Button small onClick={onLoad}>
            {t('admin.events.changed.load')}
          </Button>
          <Button small onClick={onKeep}>
            {t('admin.events.changed.keep')}
          </Button>
        </div>
      </Alert>
    </div>
  );
}
