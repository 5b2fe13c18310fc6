import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { PasswordForm } from './password-form.tsx';

/** In the dashboard's head for every role: an own password instead of the one before. */
export function ChangePassword(): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('admin.password.change')}</Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('admin.password.change')} description={t('admin.password.text')}>
        <PasswordForm onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
