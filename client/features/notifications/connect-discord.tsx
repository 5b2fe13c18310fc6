import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { LINK_CODE_MINUTES } from '../../../shared/credentials.ts';
import type { DiscordLinkState, LinkCode } from '../../../shared/schemas/discord.ts';
import { deleteDiscordLink, postLinkCode } from '../../api/calls.ts';
import { discordLink, replaceAnswer, useServerQuery } from '../../api/query.ts';
import { useInstantText } from '../../lib/time-text.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { confirm } from '../../state/overlays.ts';
import { useHasDiscordApp } from '../../state/permissions.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { useTimeLeft } from '../../state/time-left.ts';
import { Alert, FailedLoad } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyableCode, CopyBox } from '../../ui/copyable-code.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Cluster, Stack } from '../../ui/layout.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { type Action, useAction } from '../../ui/use-action.ts';
import styles from './character-dialogs.module.css';

/** Connects the characters of this browser to Discord users, by a code for `/link` in Discord. */
export function ConnectDiscord({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const profiles = useSession((session) => session.profiles);
  const current = useSession((session) => session.current);
  const hasApp = useHasDiscordApp();
  const isSignedIn = profiles.length > 0;
  useEffect(() => {
    if (!isSignedIn) onClose();
  }, [isSignedIn, onClose]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('shell.profile.connectDiscord')}
      description={t('notifications.discord.about')}
    >
      {hasApp ? null : <Alert tone="bad">{t('notifications.discord.noApp')}</Alert>}
      {profiles.map((profile) => (
        <CharacterLink
          key={profile.accessKey}
          profile={profile}
          hasApp={hasApp}
          isCurrent={profile.characterName === current?.characterName}
        />
      ))}
    </Dialog>
  );
}

interface CharacterLinkProps {
  profile: Profile;
  hasApp: boolean;
  /** The character in use: without a link it gets a code at once. */
  isCurrent: boolean;
}

/** While a code waits for Discord, and at other times, in milliseconds. */
const WAITING_INTERVAL_MS = 2_000;
const USUAL_INTERVAL_MS = 15_000;

/** A character's link to Discord: a code to make it, or the Discord user and a button to end it. */
function CharacterLink({ profile, hasApp, isCurrent }: CharacterLinkProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const code = useLinkCode(profile);
  const { data, error, refetch } = useServerQuery({
    ...discordLink(profile),
    refetchInterval: code.isWaiting ? WAITING_INTERVAL_MS : USUAL_INTERVAL_MS,
    // The member comes back from Discord.
    refetchOnWindowFocus: 'always',
  });
  const link = data?.link ?? null;
  const state = useRef<HTMLParagraphElement>(null);
  const isUnlinked = data?.link === null;
  const begin = useEffectEvent(() => {
    if (isUnlinked && isCurrent && hasApp) code.create.run();
  });
  const finish = useEffectEvent(() => {
    if (!code.value) return;
    code.discard();
    // The buttons of the code are gone.
    state.current?.focus();
  });
  const hasLoaded = data !== undefined;
  useEffect(() => {
    if (hasLoaded) begin();
  }, [hasLoaded]);
  const user = link?.discord_name;
  useEffect(() => {
    if (user !== undefined) finish();
  }, [user]);
  return (
    <section
      className={styles.character}
      aria-labelledby={id}
      data-linked={link !== null || undefined}
    >
      <h3 id={id} className={styles.name}>
        {profile.characterName}
      </h3>
      {data ? null : error ? (
        <FailedLoad
          sentence={t('notifications.discord.loadFailed')}
          reason={errorText(error)}
          onTryAgain={() => void refetch()}
        />
      ) : (
        <Loading>
          <Skeleton height={56} />
        </Loading>
      )}
      <p ref={state} role="status" tabIndex={-1} className={`${styles.state} no-ring`}>
        {link
          ? t('notifications.discord.connectedAs', { name: link.discord_name })
          : code.isWaiting
            ? t('notifications.discord.waiting')
            : code.value
              ? t('notifications.discord.expired')
              : data && !code.create.isBusy
                ? t('notifications.discord.notConnected')
                : null}
      </p>
      {link ? (
        <Linked profile={profile} link={link} focusAfter={state} />
      ) : data ? (
        <Unlinked code={code} name={profile.characterName} hasApp={hasApp} />
      ) : null}
    </section>
  );
}

interface Code {
  /** Secret, so it is forgotten with the dialog; null: none was made. */
  value: LinkCode | null;
  isWaiting: boolean;
  create: Action<void>;
  discard: () => void;
  expire: () => void;
}

function useLinkCode({ accessKey }: Profile): Code {
  const [value, setValue] = useState<LinkCode | null>(null);
  const [isOver, setOver] = useState(false);
  const create = useAction({
    work: () => postLinkCode(accessKey),
    done: (code) => {
      setValue(code);
      setOver(false);
    },
  });
  const discard = (): void => setValue(null);
  return {
    value,
    isWaiting: value !== null && !isOver,
    create,
    discard,
    expire: () => setOver(true),
  };
}

function Unlinked({
  code,
  name,
  hasApp,
}: {
  code: Code;
  name: string;
  hasApp: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { value, isWaiting } = code;
  const { isBusy, failure } = code.create;
  const makesFirst = isBusy && value === null && failure === null;
  const part = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const hasExpired = value !== null && !isWaiting;
  // The buttons of the code are gone with it.
  useEffect(() => {
    if (hasExpired && hadFocus.current) part.current?.querySelector('button')?.focus();
  }, [hasExpired]);
  const expire = (): void => {
    hadFocus.current = part.current?.contains(document.activeElement) ?? false;
    code.expire();
  };
  return (
    <div ref={part} className={styles.part}>
      {failure ? (
        <Alert tone="bad" title={t('notifications.discord.codeFailed')}>
          {errorText(failure)}
        </Alert>
      ) : null}
      {value && isWaiting ? (
        <CodeToSend key={value.code} code={value} onExpired={expire} />
      ) : makesFirst ? (
        <Loading>
          <Skeleton height={120} />
        </Loading>
      ) : hasApp ? (
        <Cluster className={styles.actions}>
          <Button
            variant="primary"
            busy={isBusy}
            onClick={() => code.create.run()}
            aria-label={t(
              value ? 'notifications.discord.newCodeOf' : 'notifications.discord.getCodeOf',
              { name },
            )}
          >
            {t(value ? 'notifications.discord.newCode' : 'notifications.discord.getCode')}
          </Button>
        </Cluster>
      ) : null}
    </div>
  );
}

const SECOND_MS = 1_000;
const SECONDS_IN_MINUTE = 60;

function CodeToSend({
  code: { code, expires_at },
  onExpired,
}: {
  code: LinkCode;
  onExpired: () => void;
}): ReactNode {
  const { t } = useTranslation();
  // The distance of the clocks is known to two seconds only.
  const seconds = Math.min(
    LINK_CODE_MINUTES * SECONDS_IN_MINUTE,
    Math.ceil(useTimeLeft(expires_at, SECOND_MS) / SECOND_MS),
  );
  const time = `${Math.floor(seconds / SECONDS_IN_MINUTE)}:${String(seconds % SECONDS_IN_MINUTE).padStart(2, '0')}`;
  const isOver = seconds === 0;
  const expire = useEffectEvent(onExpired);
  useEffect(() => {
    if (isOver) expire();
  }, [isOver]);
  const box = useRef<HTMLDivElement>(null);
  // The button that made it is gone; copying is the next step.
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <>
      <div ref={box} className={styles.code}>
        <CopyBox text={code} label={t('verify.code.copy')} />
      </div>
      {/* A timer is not announced as it runs. */}
      <p role="timer" className="muted tabular">
        {t('notifications.discord.timeLeft', { time })}
      </p>
      <Stack gap={1} fitted className={styles.how}>
        <p>{t('notifications.discord.how')}</p>
        <CopyableCode
          text={`/link code:${code}`}
          copyLabel={t('notifications.discord.copyCommand')}
        />
      </Stack>
    </>
  );
}

interface LinkedProps {
  profile: Profile;
  link: NonNullable<DiscordLinkState['link']>;
  /** Takes the focus when the link has ended. */
  focusAfter: RefObject<HTMLElement | null>;
}

function Linked({
  profile,
  link: { discord_name, linked_at },
  focusAfter,
}: LinkedProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const date = useInstantText()(linked_at, 'date');
  const name = profile.characterName;
  const { queryKey } = discordLink(profile);
  const disconnect = async (): Promise<void> => {
    await deleteDiscordLink(profile.accessKey);
    await replaceAnswer<DiscordLinkState>(
      queryKey,
      (before) => before && { ...before, link: null },
    );
    showToast({ text: t('notifications.discord.disconnected', { name }) });
  };
  return (
    <>
      <p className="muted">{t('notifications.discord.since', { date })}</p>
      <Cluster className={styles.actions}>
        <Button
          small
          variant="danger"
          onClick={() =>
            confirm({
              title: t('notifications.discord.confirm.title', { name }),
              text: t('notifications.discord.confirm.text', { name, discord_name }),
              confirmLabel: t('notifications.discord.disconnect'),
              onConfirm: disconnect,
              errorText,
              focusAfter,
            })
          }
          aria-label={t('notifications.discord.disconnectOf', { name })}
        >
          {t('notifications.discord.disconnect')}
        </Button>
      </Cluster>
    </>
  );
}
