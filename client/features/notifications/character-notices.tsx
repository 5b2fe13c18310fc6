import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '../../lib/time-zone.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert, FailedLoad } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Kinds } from './kinds.tsx';
import styles from './notifications.module.css';
import { QuietHours } from './quiet-hours.tsx';
import { ThisDevice } from './this-device.tsx';
import { type Preferences, usePreferences } from './use-preferences.ts';

interface CharacterNoticesProps {
  profile: Profile;
  /** The browser can be told. */
  canTurnOn: boolean;
}

/** One character: this device, and what it is told of on all of its devices. */
export function CharacterNotices({ profile, canTurnOn }: CharacterNoticesProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences(profile);
  const here = useTimeZone();
  const { chosen, choose, loadFailure, tryAgain } = preferences;
  // Whoever never chose a clock has the guild's; the one of the device is nearer.
  const onOn = (): void => {
    if (chosen?.quiet_from === null) choose({ time_zone: here });
  };
  return (
    <Panel title={profile.characterName} className={styles.character}>
      <ThisDevice profile={profile} canTurnOn={canTurnOn} onOn={onOn} />
      {loadFailure ? (
        <FailedLoad sentence={t('notifications.loadFailed')} reason={errorText(loadFailure)} onTryAgain={tryAgain} />
      ) : chosen ? (
        <>
          <Kinds chosen={chosen} choose={choose} name={profile.characterName} />
          <QuietHours chosen={chosen} choose={choose} here={here} />
          <Saved preferences={preferences} />
        </>
      ) : (
        <Loading>
          <Skeleton height={240} />
        </Loading>
      )}
    </Panel>
  );
}

/** What became of the last change. Always there: what is read out is a change of it. */
function Saved({ preferences: { state, saveFailure, tryAgain } }: { preferences: Preferences }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <>
      {state === 'failed' ? (
        <Alert
          tone="bad"
          title={t('notifications.saveFailed')}
          action={
            <Button small onClick={tryAgain}>
              {t('common.tryAgain')}
            </Button>
          }
        >
          {errorText(saveFailure)}
        </Alert>
      ) : null}
      <p role="status" className={styles.saved}>
        {state === 'saving' ? t('notifications.saving') : state === 'saved' ? t('notifications.saved') : null}
      </p>
    </>
  );
}
