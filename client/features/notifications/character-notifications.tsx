import { type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { pushPreferences, useServerQuery } from '../../api/query.ts';
import { useTimeZone } from '../../lib/time-text.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { useBoard } from '../../state/board-store.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert, FailedLoad } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { TextInput } from '../../ui/fields/inputs.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { DirectMessages, useDiscordLink } from './direct-messages.tsx';
import styles from './notifications.module.css';
import { areWhole, choose, save, useUnsaved } from './preferences.ts';
import { ThisDevice } from './this-device.tsx';

interface CharacterNotificationsProps {
  profile: Profile;
  /** The browser supports and allows notifications. */
  canTurnOn: boolean;
}

/** A character's notifications on this device, and its preferences for all devices. */
export function CharacterNotifications({
  profile,
  canTurnOn,
}: CharacterNotificationsProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preferences = usePreferences(profile);
  const here = useTimeZone();
  const link = useDiscordLink(profile);
  const { chosen, choose, loadFailure, tryAgain } = preferences;
  // Replace the guild's time zone, the default, by the device's.
  const onTurnedOn = (): void => {
    if (chosen?.quiet_from === null) choose({ time_zone: here });
  };
  const id = useId();
  return (
    <Stack aria-labelledby={id} as="section" gap={4} className={styles.character}>
      <h2 id={id}>{profile.characterName}</h2>
      <ThisDevice profile={profile} canTurnOn={canTurnOn} onTurnedOn={onTurnedOn} />
      {link === undefined ? null : <DirectMessages profile={profile} link={link} />}
      {loadFailure ? (
        <FailedLoad
          sentence={t('notifications.loadFailed')}
          reason={errorText(loadFailure)}
          onTryAgain={tryAgain}
        />
      ) : chosen ? (
        <>
          <Kinds
            chosen={chosen}
            choose={choose}
            name={profile.characterName}
            isConnected={Boolean(link)}
          />
          <QuietHours chosen={chosen} choose={choose} here={here} />
          <SaveState preferences={preferences} />
        </>
      ) : (
        <Loading>
          <Skeleton height={240} />
        </Loading>
      )}
    </Stack>
  );
}

/** The state of the last change. Always rendered, since screen readers announce changes of an existing element. */
function SaveState({
  preferences: { state, saveFailure, tryAgain },
}: {
  preferences: Preferences;
}): ReactNode {
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
        {state === 'saving'
          ? t('notifications.saving')
          : state === 'saved'
            ? t('notifications.saved')
            : null}
      </p>
    </>
  );
}

const KINDS = ['hold_offered', 'hunt_begins', 'confirm_now', 'claim_changed'] as const;

type NoticeKind = (typeof KINDS)[number];

interface KindsProps {
  chosen: PushPreferences;
  choose: (change: Partial<PushPreferences>) => void;
  name: string;
  /** The character gets direct messages in Discord: each kind has a second switch. */
  isConnected: boolean;
}

/** A switch for each kind of notification, or two: push and direct message. */
function Kinds({ chosen, choose, name, isConnected }: KindsProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const switchOf = (field: NoticeKind | `direct_${NoticeKind}`, label: string): ReactNode => (
    <Switch
      label={label}
      state={chosen[field] === 1 ? t('notifications.on') : t('notifications.off')}
      on={chosen[field] === 1}
      onChange={(on) => choose({ [field]: on ? 1 : 0 })}
    />
  );
  return (
    <Stack role="group" aria-labelledby={id} gap={4} className={styles.part}>
      <h3 id={id}>{t('notifications.kinds.title', { name })}</h3>
      <div className={isConnected ? styles.kinds : styles.list}>
        {KINDS.map((kind) => {
          const title = t(`notifications.kinds.${kind}.name`);
          const text = t(`notifications.kinds.${kind}.text`);
          return isConnected ? (
            // biome-ignore lint/a11y/useSemanticElements: these fields are not submitted together
            <div
              key={kind}
              role="group"
              aria-labelledby={`${id}-${kind}`}
              className={styles.channels}
            >
              <div>
                <p id={`${id}-${kind}`} className="medium">
                  {title}
                </p>
                <p className="muted">{text}</p>
              </div>
              {switchOf(kind, t('notifications.kinds.push'))}
              {switchOf(`direct_${kind}`, t('notifications.kinds.direct'))}
            </div>
          ) : (
            <Stack key={kind} gap={1} fitted>
              {switchOf(kind, title)}
              <p className="muted">{text}</p>
            </Stack>
          );
        })}
      </div>
    </Stack>
  );
}

const DEFAULT = { quiet_from: '23:00', quiet_until: '07:00' };
const NONE = { quiet_from: null, quiet_until: null };

interface QuietHoursProps {
  chosen: PushPreferences;
  choose: (change: Partial<PushPreferences>) => void;
  /** This device's time zone. */
  here: string;
}

/** The hours without notifications, and the time zone for them and for times in notifications. */
function QuietHours({ chosen, choose, here }: QuietHoursProps): ReactNode {
  const { t } = useTranslation();
  const { quiet_from: from, quiet_until: until, time_zone: zone } = chosen;
  const isOn = from !== null;
  const error = areWhole(chosen) ? null : t('notifications.quiet.invalid');
  return (
    <Stack gap={4} className={styles.part}>
      <Stack gap={1} fitted>
        <Switch
          label={t('notifications.quiet.label')}
          state={isOn ? t('notifications.on') : t('notifications.off')}
          on={isOn}
          onChange={(on) => choose(on ? DEFAULT : NONE)}
        />
        <p className="muted">{t('notifications.quiet.text')}</p>
      </Stack>
      {isOn ? (
        <div className={styles.times}>
          <Field label={t('notifications.quiet.from')} error={error}>
            <TextInput
              type="time"
              value={from}
              onChange={({ target }) => choose({ quiet_from: target.value })}
            />
          </Field>
          <Field label={t('notifications.quiet.until')}>
            <TextInput
              type="time"
              value={until ?? ''}
              onChange={({ target }) => choose({ quiet_until: target.value })}
            />
          </Field>
        </div>
      ) : null}
      <Stack gap={2} fitted className={styles.zone}>
        <Field label={t('notifications.zone.label')} hint={t('notifications.zone.hint')}>
          <Select
            value={zone}
            options={zones(zone)}
            onChange={(time_zone) => choose({ time_zone })}
          />
        </Field>
        {zone === here ? null : (
          <Button small onClick={() => choose({ time_zone: here })}>
            {t('notifications.zone.useDevice', { zone: readable(here) })}
          </Button>
        )}
      </Stack>
    </Stack>
  );
}

const readable = (zone: string): string => zone.replaceAll('_', ' ');

/** All zones known to this browser, and the chosen one. */
function zones(chosen: string): { value: string; label: string }[] {
  const known = new Set(Intl.supportedValuesOf('timeZone'));
  return [...(known.has(chosen) ? [] : [chosen]), ...known].map((value) => ({
    value,
    label: readable(value),
  }));
}

interface Preferences {
  /** With the changes made here; null: not loaded. */
  chosen: PushPreferences | null;
  loadFailure: unknown;
  state: 'saved' | 'saving' | 'failed' | 'unchanged';
  saveFailure: unknown;
  choose: (change: Partial<PushPreferences>) => void;
  tryAgain: () => void;
}

/** A character's notification preferences. A change is saved at once; one that could not be saved stays on the screen. */
function usePreferences(profile: Profile): Preferences {
  const { data: saved, error, refetch } = useServerQuery(pushPreferences(profile));
  const { edits, sent, failure, saves } = useUnsaved(profile.accessKey);
  const [savesBefore] = useState(saves);
  const isOffline = useBoard((board) => board.connection === 'offline');
  const chosen = useMemo(() => (saved ? { ...saved, ...edits } : null), [saved, edits]);
  useEffect(() => {
    if (!isOffline) void save(profile);
  }, [isOffline, profile]);
  const isSaved = saves > savesBefore && chosen !== null && areWhole(chosen);
  return {
    chosen,
    loadFailure: saved ? null : error,
    saveFailure: failure,
    state: failure !== null ? 'failed' : sent ? 'saving' : isSaved ? 'saved' : 'unchanged',
    choose: (change) => {
      if (!chosen) return;
      const { quiet_from, quiet_until } = { ...chosen, ...change };
      const isQuiet = 'quiet_from' in change || 'quiet_until' in change;
      choose(profile, isQuiet ? { ...change, quiet_from, quiet_until } : change);
    },
    tryAgain: () => void (saved ? save(profile) : refetch()),
  };
}
