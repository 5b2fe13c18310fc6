import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { testPush } from '../../api/calls.ts';
import { ApiError } from '../../api/request.ts';
import { useKeptPush } from '../../state/push-kept.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { setUpAgain } from './device.ts';
import styles from './notifications.module.css';
import { useFailureText } from './use-failure-text.ts';

type Outcome = { of: 'sent' | 'notTaken' | 'setUp' } | { of: 'failed'; error: unknown };

/** Sends a notice to this very browser, and says what came of it. Where its push service no longer takes any, it is set up again. */
export function TryOut({ profile, children }: { profile: Profile; children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const say = useFailureText();
  const endpoint = useKeptPush(({ kept }) => kept?.endpoint ?? '');
  const [busy, setBusy] = useState<'test' | 'setUp' | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const run = async (what: 'test' | 'setUp', work: () => Promise<Outcome>): Promise<void> => {
    setBusy(what);
    setOutcome(null);
    setOutcome(await work().catch((error: unknown): Outcome => ({ of: 'failed', error })));
    setBusy(null);
  };
  const test = async (): Promise<Outcome> => {
    try {
      return { of: (await testPush(endpoint, profile.accessKey)).sent > 0 ? 'sent' : 'notTaken' };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'push.notFound') return { of: 'notTaken' };
      throw error;
    }
  };
  const again = async (): Promise<Outcome> => {
    await setUpAgain();
    return { of: 'setUp' };
  };
  return (
    <>
      <Button
        busy={busy === 'test'}
        onClick={() => void run('test', test)}
        aria-label={t('notifications.test.sendOf', { name: profile.characterName })}
      >
        {t('notifications.test.send')}
      </Button>
      {children}
      {outcome?.of === 'notTaken' ? (
        <Alert
          tone="bad"
          className={styles.outcome}
          action={
            <Button small busy={busy === 'setUp'} onClick={() => void run('setUp', again)}>
              {t('notifications.test.again')}
            </Button>
          }
        >
          {t('notifications.test.notTaken')}
        </Alert>
      ) : outcome?.of === 'failed' ? (
        <Alert tone="bad" className={styles.outcome}>
          {say(outcome.error)}
        </Alert>
      ) : outcome ? (
        <Alert tone="good" className={styles.outcome}>
          {outcome.of === 'sent' ? t('notifications.test.sent') : t('notifications.test.setUp')}
        </Alert>
      ) : null}
    </>
  );
}
