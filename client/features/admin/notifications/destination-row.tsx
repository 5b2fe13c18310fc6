import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination } from '../../../../shared/schemas/destination.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import tab from '../tab.module.css';
import { Deliveries } from './deliveries/deliveries.tsx';
import type { DestinationDeed } from './destination-confirmation.tsx';
import { DestinationFacts } from './destination-facts.tsx';
import { type DestinationStatus, statusOf } from './destination-status.ts';
import styles from './notifications.module.css';
import { TestOutcome, useTest } from './outcome-of-test.tsx';
import { SwitchedOff } from './switched-off.tsx';
import { useSwitchOn } from './use-switch-on.ts';

export interface DestinationRowProps {
  destination: Destination;
  onEdit: () => void;
  onDeed: (what: DestinationDeed['what']) => void;
}

/** One that is told: how it fares, what can be done with it, and on demand what it was sent. */
export function DestinationRow({ destination, onEdit, onDeed }: DestinationRowProps): ReactNode {
  const { t } = useTranslation();
  const { id, name, kind, is_enabled, switched_off } = destination;
  const [areShown, setAreShown] = useState(false);
  const shown = useId();
  const test = useTest(id);
  const switchOn = useSwitchOn(destination);
  const status = statusOf(destination);
  return (
    <li className={classes(styles.destination, switched_off !== null && styles.off)}>
      <div className={styles.head}>
        <div className={styles.about}>
          <div className={styles.name}>
            <h2>{name}</h2>
            <Badge>{t(`admin.notifications.kind.${kind}`)}</Badge>
            <Status status={status} />
          </div>
          <DestinationFacts destination={destination} />
        </div>
        <div className={styles.actions}>
          <Button small busy={test.isRunning} onClick={test.run} aria-label={t('admin.notifications.test.name', { name })}>
            {t('admin.notifications.test.label')}
          </Button>
          <Button
            small
            aria-expanded={areShown}
            aria-controls={areShown ? shown : undefined}
            onClick={() => setAreShown(!areShown)}
            aria-label={t('admin.notifications.deliveries.showName', { name })}
          >
            {t('admin.notifications.deliveries.show')}
          </Button>
          {switched_off !== null ? null : is_enabled ? (
            <Button small onClick={() => onDeed('pause')} aria-label={t('admin.notifications.pauseName', { name })}>
              {t('admin.notifications.pause')}
            </Button>
          ) : (
            <Button small busy={switchOn.isBusy} onClick={switchOn.run} aria-label={t('admin.notifications.resumeName', { name })}>
              {t('admin.notifications.resume')}
            </Button>
          )}
          <Button small onClick={onEdit} aria-label={t('admin.notifications.editName', { name })}>
            {t('common.edit')}
          </Button>
          {kind === 'webhook' ? (
            <Button small onClick={() => onDeed('rotate')} aria-label={t('admin.notifications.rotateName', { name })}>
              {t('admin.notifications.rotate')}
            </Button>
          ) : null}
          <Button small variant="danger" onClick={() => onDeed('delete')} aria-label={t('admin.notifications.deleteName', { name })}>
            {t('common.delete')}
          </Button>
        </div>
      </div>
      {switched_off === null ? null : <SwitchedOff destination={destination} reason={switched_off} switchOn={switchOn} />}
      <TestOutcome test={test} destination={destination} />
      {areShown ? (
        <div id={shown}>
          <Deliveries destination={destination} />
        </div>
      ) : null}
    </li>
  );
}

const TONE: { [S in DestinationStatus]: string | undefined } = {
  on: styles.good,
  trying: styles.trying,
  paused: styles.paused,
  switchedOff: styles.bad,
};

function Status({ status }: { status: DestinationStatus }): ReactNode {
  const { t } = useTranslation();
  return <span className={classes(tab.status, styles.status, TONE[status])}>{t(`admin.notifications.status.${status}`)}</span>;
}
