import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resumeNotifications } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { useMinute } from './use-minute.ts';

/** Tells that a restored database sends no notifications, and lets an owner resume them. */
export function PausedNotifications({ paused_at, onResumed }: { paused_at: string; onResumed: () => void }): ReactNode {
  const { t } = useTranslation();
  const minute = useMinute();
  const errorText = useErrorText();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Alert
        tone="bad"
        title={t('admin.system.paused.title')}
        action={<Button onClick={() => setAsking(true)}>{t('admin.system.paused.resume')}</Button>}
      >
        {t('admin.system.paused.text', { at: minute(paused_at) })}
      </Alert>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('admin.system.paused.confirmTitle')}
        text={t('admin.system.paused.confirmText', { at: minute(paused_at) })}
        confirmLabel={t('admin.system.paused.confirm')}
        onConfirm={async () => {
          await resumeNotifications();
          onResumed();
        }}
        errorText={(error) => t('admin.system.paused.failed', { reason: errorText(error) })}
      />
    </>
  );
}
