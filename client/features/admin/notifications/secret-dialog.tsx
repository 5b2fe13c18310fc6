import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/copyable-code.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { CheckIcon, CopyIcon } from '../../../ui/icons.tsx';
import { Stack } from '../../../ui/layout.tsx';
import styles from './notifications.module.css';

export interface Secret {
  name: string;
  secret: string;
  /** The secret before it still signs, too. */
  isRotated: boolean;
}

/** Ready-made verifiers in many languages. */
const LIBRARIES = 'https://www.standardwebhooks.com/';
const EXAMPLE = 'new Webhook(secret).verify(body, headers)';

interface SecretDialogProps {
  secret: Secret;
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
}

/** A webhook's secret, shown once: only its button closes the dialog. */
export function SecretDialog({
  secret: { name, secret, isRotated },
  onClose,
  focusAfter,
}: SecretDialogProps): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(secret);
  return (
    <Dialog
      open
      stays
      focusAfter={focusAfter}
      onOpenChange={onClose}
      title={t('admin.notifications.secret.title', { name })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('admin.notifications.secret.done')}
        </Button>
      }
    >
      <Alert tone="accent">{t('admin.notifications.secret.shownOnce')}</Alert>
      <Stack gap={2} fitted>
        <code className={styles.secret}>{secret}</code>
        <Button onClick={copy}>
          {copied ? <CheckIcon /> : <CopyIcon />}
          {t(copied ? 'shell.profile.copied' : 'admin.notifications.secret.copy')}
        </Button>
        <span role="status" className="visually-hidden">
          {copied ? t('shell.profile.copied') : null}
        </span>
      </Stack>
      {isRotated ? <p>{t('admin.notifications.secret.overlap')}</p> : null}
      <Stack gap={2} className={styles.verify}>
        <h3 className={styles.subtitle}>{t('admin.notifications.secret.verifyTitle')}</h3>
        <p>{t('admin.notifications.secret.verify')}</p>
        <code className={styles.codeExample}>{EXAMPLE}</code>
        <p>
          <a href={LIBRARIES} target="_blank" rel="noreferrer" className={styles.link}>
            {t('admin.notifications.secret.libraries')}
          </a>
        </p>
      </Stack>
    </Dialog>
  );
}
