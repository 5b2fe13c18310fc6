import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../shared/rules/names.ts';
import { testPush } from '../../api/calls.ts';
import { ApiError } from '../../api/request.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useStoredPush } from '../../state/stored-push.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { useAction } from '../../ui/use-action.ts';
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
  const actions = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  // The pressed button is gone: the button in its place takes the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons change with it
  useEffect(() => {
    if (wasPressed.current) actions.current?.querySelector('button')?.focus();
    wasPressed.current = false;
  }, [isOn]);
  const press = useAction({
    work: async (change: () => Promise<void>) => {
      wasPressed.current = true;
      try {
        await change();
      } catch (error) {
        wasPressed.current = false;
        throw error;
      }
    },
    atEnd: recheckBrowser,
  });
  const start = async (): Promise<void> => {
    await turnOn(profile, words);
    onTurnedOn();
  };
  return (
    <Stack className={styles.device} data-on={isOn || undefined}>
      <p role="status" className="semibold">
        {isOn ? t('notifications.device.on', { name }) : t('notifications.device.off', { name })}
      </p>
      {canTurnOn && !isOn && willAsk ? (
        <p className="muted">{t('notifications.device.permissionHint')}</p>
      ) : null}
      {press.failure ? <Alert tone="bad">{failureText(press.failure)}</Alert> : null}
      <div ref={actions} className={styles.actions}>
        {isOn ? (
          <TestNotification profile={profile}>
            <Button
              busy={press.isBusy}
              onClick={() => press.run(() => turnOff(profile))}
              aria-label={t('notifications.device.turnOffOf', { name })}
            >
              {t('notifications.device.turnOff')}
            </Button>
          </TestNotification>
        ) : canTurnOn ? (
          <Button
            variant="primary"
            busy={press.isBusy}
            onClick={() => press.run(start)}
            aria-label={t('notifications.device.turnOnOf', { name })}
          >
            {t('notifications.device.turnOn')}
          </Button>
        ) : null}
      </div>
    </Stack>
  );
}

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
  const { run, isBusy, result, failure } = useAction({
    work: async (what: 'test' | 'setUp') => {
      if (what === 'setUp') {
        await renewSubscription();
        return 'isSetUp';
      }
      try {
        return (await testPush(endpoint, profile.accessKey)).sent > 0 ? 'sent' : 'rejected';
      } catch (error) {
        if (error instanceof ApiError && error.code === 'push.notFound') return 'rejected';
        throw error;
      }
    },
  });
  return (
    <>
      <Button
        busy={isBusy}
        onClick={() => run('test')}
        aria-label={t('notifications.test.sendOf', { name: profile.characterName })}
      >
        {t('notifications.test.send')}
      </Button>
      {children}
      {failure ? (
        <Alert tone="bad" className={styles.outcome}>
          {failureText(failure)}
        </Alert>
      ) : result ? (
        <Alert
          tone={result === 'rejected' ? 'bad' : 'good'}
          className={styles.outcome}
          action={
            result === 'rejected' ? (
              <Button small onClick={() => run('setUp')}>
                {t('notifications.test.setUpAgain')}
              </Button>
            ) : null
          }
        >
          {t(`notifications.test.${result}`)}
        </Alert>
      ) : null}
    </>
  );
}

function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) =>
    error instanceof DeviceFailure ? t(`notifications.device.${error.reason}`) : errorText(error);
}
