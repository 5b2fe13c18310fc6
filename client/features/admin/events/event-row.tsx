import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type EventTimeStatus, eventTimeStatus } from '../../../../shared/rules/event-period.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { useMay } from '../../../state/permissions.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import type { EventDeed } from './event-confirmation.tsx';
import { EventFacts } from './event-facts.tsx';
import styles from './events.module.css';

const STATUS_TONE: { [S in EventTimeStatus]: BadgeTone } = { upcoming: 'accent', active: 'good', ended: 'plain' };

export interface EventRowProps {
  event: Event;
  /** Today's server-save date. */
  today: string;
  onEdit: () => void;
  onDeed: (what: EventDeed['what']) => void;
  onCopy: () => void;
  onSave: () => void;
}

export function EventRow({ event, today, onEdit, onDeed, onCopy, onSave }: EventRowProps): ReactNode {
  const { t } = useTranslation();
  const { name, type, is_active, single_claim_template } = event;
  const mayGuild = useMay('guild');
  const status = eventTimeStatus(event, today);
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
        <EventFacts event={event} />
        {single_claim_template ? (
          <div className={styles.template}>
            <p className={styles.templateLabel}>{t('admin.events.template')}</p>
            <p>{single_claim_template}</p>
          </div>
        ) : null}
      </div>
      {mayGuild ? (
        <div className={styles.actions}>
          <Button small onClick={() => onDeed(turn)} aria-label={t(`admin.events.${turn}Name`, { name })}>
            {t(`admin.events.${turn}`)}
          </Button>
          <Button small onClick={onEdit} aria-label={t('admin.events.editName', { name })}>
            {t('common.edit')}
          </Button>
          <Button small onClick={onCopy} aria-label={t('admin.events.next.copyName', { name })}>
            {t('admin.events.next.copy')}
          </Button>
          <Button small onClick={onSave} aria-label={t('admin.events.next.saveName', { name })}>
            {t('admin.events.next.saveAs')}
          </Button>
          <Button small variant="danger" onClick={() => onDeed('delete')} aria-label={t('admin.events.deleteName', { name })}>
            {t('common.delete')}
          </Button>
        </div>
      ) : null}
    </li>
  );
}
