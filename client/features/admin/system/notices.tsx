import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { System } from '../../../../shared/schemas/system.ts';
import { Alert } from '../../../ui/alert.tsx';
import { useMinute } from './use-minute.ts';

/** What an owner should act on although the server runs. */
export function Notices({ system: { clock, servers } }: { system: System }): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const paused = clock.deletion_paused;
  return (
    <>
      {paused ? <Alert>{t(`admin.system.deletionPaused.${paused.reason}`, { at: minute(paused.until) })}</Alert> : null}
      {servers
        .filter(({ differing }) => differing.length > 0)
        .map(({ id, started_at, differing }) => (
          <Alert key={id} tone="bad">
            {t('admin.system.otherSettings', { at: minute(started_at), names: differing.join(', ') })}
          </Alert>
        ))}
    </>
  );
}
