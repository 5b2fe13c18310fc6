import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type EventTimeStatus, eventDate, eventTimeStatus } from '../../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../../shared/rules/server-save.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import type { EventDeed } from './event-confirmation.tsx';
import styles from './events.module.css';

const STATUS_TONE: { [S in EventTimeStatus]: BadgeTone } = { upcoming: 'accent', active: 'good', ended: 'plain' };

export interface EventRowProps {
  event: Event;
  /** Today's server-save date. */
  today: string;
  onEdit: () => void;
  onDeed: (what: EventDeed['what']) => void;
}

export function EventRow({ event, today, onEdit, onDeed }: EventRowProps): ReactNode {
  const { t, i18n } = useTranslation();
  const { name, type, is_active, claim_count, single_claim_template } = event;
  const [from, to] = [eventDate(event.start_time), eventDate(event.end_time)];
  const status = eventTimeStatus(event, today);
  const inWords = (date: string): string =>
    dateInWords(date, formatLocale(i18n.language), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const turn = is_active ? 'deactivate' : 'activate';
  return (
    <li className={classes(styles.event, is_active === 1 && styles.current)}>
      <div className={styles.about}>
        <div className={styles.name}>
          <h2>{name}</h2>
          {is_active ? <Badge tone="solid">{t('admin.events.active')}</Badge> : null}
          {is_active && status === 'active' ? null : <Badge tone={STATUS_TONE[status]}>{t(`admin.events.status.${status}`)}</Badge>}
          <Badge>{t(`admin.events.type.${type}`)}</Badge>
        </div>
        <p className={styles.facts}>
          <span>{t('admin.events.period', { start: inWords(from), end: inWords(to) })}</span>
          <span>{t('admin.events.days', { count: datesBetween(from, to).length })}</span>
          <span>{t('admin.events.claims', { count: claim_count })}</span>
        </p>
        {single_claim_template ? (
          <div className={styles.template}>
            <p className={styles.templateLabel}>{t('admin.events.template')}</p>
            <p>{single_claim_template}</p>
          </div>
        ) : null}
      </div>
      <div className={styles.actions}>
        <Button small onClick={() => onDeed(turn)} aria-label={t(`admin.events.${turn}Name`, { name })}>
          {t(`admin.events.${turn}`)}
        </Button>
        <Button small onClick={onEdit} aria-label={t('admin.events.editName', { name })}>
          {t('common.edit')}
        </Button>
        <Button small variant="danger" onClick={() => onDeed('delete')} aria-label={t('admin.events.deleteName', { name })}>
          {t('common.delete')}
        </Button>
      </div>
    </li>
  );
}
