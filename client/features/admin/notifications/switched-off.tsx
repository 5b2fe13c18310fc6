import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination } from '../../../../shared/schemas/destination.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import type { SwitchOn } from './use-switch-on.ts';

interface SwitchedOffProps {
  destination: Destination;
  reason: NonNullable<Destination['switched_off']>;
  switchOn: SwitchOn;
}

/** That the server sends nothing there any more, why, and what to do. */
export function SwitchedOff({ destination: { name, kind, url: host }, reason, switchOn }: SwitchedOffProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert
      tone="bad"
      title={t('admin.notifications.alarm.title', { name })}
      action={
        <Button small busy={switchOn.isBusy} onClick={switchOn.run} aria-label={t('admin.notifications.alarm.againName', { name })}>
          {t('admin.notifications.alarm.again')}
        </Button>
      }
    >
      {t(`admin.notifications.alarm.${reason}`, { host })} {t(`admin.notifications.alarm.help.${kind}`)}
    </Alert>
  );
}
