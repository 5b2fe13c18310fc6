import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { clearEnded, useSession } from '../../state/session-store.ts';
import type { EndedSession } from '../../state/shared-sessions.ts';
import { Alert } from '../../ui/alert.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './page.module.css';

/** Why somebody who was signed in is not any more: revoked, banned, expired, before their eyes or while they were away. */
export function SessionEnded(): ReactNode {
  const { t } = useTranslation();
  const ended = useSession((session) => session.ended);
  return (
    <>
      <Ended title={t('shell.ended.token')} ended={ended.filter(({ who }) => who === null)} />
      <Ended title={t('shell.ended.key')} ended={ended.filter(({ who }) => who !== null)} />
    </>
  );
}

function Ended({ title, ended }: { title: string; ended: readonly EndedSession[] }): ReactNode {
  const { t } = useTranslation();
  if (ended.length === 0) return null;
  return (
    <Alert
      tone="bad"
      title={title}
      className={styles.notice}
      action={<IconButton small label={t('common.dismiss')} icon={<CloseIcon size={14} />} onClick={() => clearEnded(ended)} />}
    >
      {ended.map(({ who, code }) => {
        const reason = t(`errors.${code}`);
        return <p key={who}>{who === null ? reason : t('shell.ended.reason', { name: who, reason })}</p>;
      })}
    </Alert>
  );
}
