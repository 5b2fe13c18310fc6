import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../shared/rules/names.ts';
import { testPush } from '../../api/calls.ts';
import { ApiError } from '../../api/request.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useStoredPush } from '../../state/stored-push.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import {
  DeviceFailure,
  recheckBrowser,
  renewSubscription,
  turnOff,
  turnOn,
  useWillAsk,
  useWords,
} from './device.ts';
import styles from './notifications.module.css';

interface ThisDeviceProps {
  profile: Profile;
  canTurnOn: boolean;
  onTurnedOn: () => void;
}

/** Turns a character's notifications in this browser on and off. The browser asks for permission at the press, never before. */
export function ThisDevice({ profile, canTurnOn, onTurnedOn }: ThisDeviceProps): ReactNode {
  const { t } = useTranslation();
  const words = useWords();
  const willAsk = useWillAsk();
  const failureText = useFailureText();
  const name = profile.characterName;
  const isKept = useStoredPush(
    ({ kept }) => kept?.members.some((member) => nameKey(member.name) === nameKey(name)) ?? false,
  );
  const isOn = canTurnOn && isKept;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const actions = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  // The pressed button is gone: the button in its place takes the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons change with it
  useEffect(() => {
    if (wasPressed.current) actions.current?.querySelector('button')?.focus();
    wasPressed.current = false;
  }, [isOn]);
  const press = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      wasPressed.current = true;
      await work();
    } catch (error) {
      wasPressed.current = false;
      setFailure(failureText(error));
    }
    setBusy(false);
    recheckBrowser();
  };
  const start = async (): Promise<void> => {
    await turnOn(profile, words);
    onTurnedOn();
  };
  return (
    <div className={styles.device} data-on={isOn || undefined}>
      <p role="status" className={styles.state}>
        {isOn ? t('notifications.device.on', { name }) : t('notifications.device.off', { name })}
      </p>
      {canTurnOn && !isOn && willAsk ? (
        <p className={styles.text}>{t('notifications.device.permissionHint')}</p>
      ) : null}
      {failure ? <Alert tone="bad">{failure}</Alert> : null}
      <div ref={actions} className={styles.actions}>
        {isOn ? (
          <TestNotification profile={profile}>
            <Button
              busy={busy}
              onClick={() => void press(() => turnOff(profile))}
              aria-label={t('notifications.device.turnOffOf', { name })}
            >
              {t('notifications.device.turnOff')}
            </Button>
          </TestNotification>
        ) : canTurnOn ? (
          <Button
            variant="primary"
            busy={busy}
            onClick={() => void press(start)}
            aria-label={t('notifications.device.turnOnOf', { name })}
          >
            {t('notifications.device.turnOn')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

type Outcome = { of: 'sent' | 'notTaken' | 'setUp' } | { of: 'failed'; error: unknown };

/** Sends a test notification to this browser. If its push service no longer accepts any, the subscription can be renewed. */
function TestNotification({
  profile,
  children,
}: {
  profile: Profile;
  children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const endpoint = useStoredPush(({ kept }) => kept?.endpoint ?? '');
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
    await renewSubscription();
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
              {t('notifications.test.setUpAgain')}
            </Button>
          }
        >
          {t('notifications.test.rejected')}
        </Alert>
      ) : outcome?.of === 'failed' ? (
        <Alert tone="bad" className={styles.outcome}>
          {failureText(outcome.error)}
        </Alert>
      ) : outcome ? (
        <Alert tone="good" className={styles.outcome}>
          {outcome.of === 'sent' ? t('notifications.test.sent') : t('notifications.test.isSetUp')}
        </Alert>
      ) : null}
    </>
  );
}

/** Why notifications on this device could not be changed. */
function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) =>
    error instanceof DeviceFailure ? t(`notifications.device.${error.reason}`) : errorText(error);
}
