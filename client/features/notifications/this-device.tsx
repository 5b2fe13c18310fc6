import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../shared/rules/names.ts';
import { useKeptPush } from '../../state/push-kept.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { lookAtBrowserAgain, useWillAsk } from './browser-state.ts';
import { turnOff, turnOn } from './device.ts';
import styles from './notifications.module.css';
import { TryOut } from './try-out.tsx';
import { useFailureText } from './use-failure-text.ts';
import { useWords } from './use-words.ts';

interface ThisDeviceProps {
  profile: Profile;
  canTurnOn: boolean;
  onOn: () => void;
}

/** Whether this browser is told about a character, and the way to change it. The browser asks at the press, never before. */
export function ThisDevice({ profile, canTurnOn, onOn }: ThisDeviceProps): ReactNode {
  const { t } = useTranslation();
  const words = useWords();
  const willAsk = useWillAsk();
  const say = useFailureText();
  const name = profile.characterName;
  const isKept = useKeptPush(({ kept }) => kept?.members.some((member) => nameKey(member.name) === nameKey(name)) ?? false);
  const isOn = canTurnOn && isKept;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const actions = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  // The button that was pressed has gone: the next one has its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is there changes with it
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
      setFailure(say(error));
    }
    setBusy(false);
    lookAtBrowserAgain();
  };
  const start = async (): Promise<void> => {
    await turnOn(profile, words);
    onOn();
  };
  return (
    <div className={styles.device} data-on={isOn || undefined}>
      <p role="status" className={styles.state}>
        {isOn ? t('notifications.device.on', { name }) : t('notifications.device.off', { name })}
      </p>
      {canTurnOn && !isOn && willAsk ? <p className={styles.text}>{t('notifications.device.before')}</p> : null}
      {failure ? <Alert tone="bad">{failure}</Alert> : null}
      <div ref={actions} className={styles.actions}>
        {isOn ? (
          <TryOut profile={profile}>
            <Button
              busy={busy}
              onClick={() => void press(() => turnOff(profile))}
              aria-label={t('notifications.device.turnOffOf', { name })}
            >
              {t('notifications.device.turnOff')}
            </Button>
          </TryOut>
        ) : canTurnOn ? (
          <Button variant="primary" busy={busy} onClick={() => void press(start)} aria-label={t('notifications.device.turnOnOf', { name })}>
            {t('notifications.device.turnOn')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
