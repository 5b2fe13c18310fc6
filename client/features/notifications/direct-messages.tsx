import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscordLinkState } from '../../../shared/schemas/discord.ts';
import { testDirectMessage } from '../../api/calls.ts';
import { discordLink, refreshQuery, useServerQuery } from '../../api/query.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { openOverlay } from '../../state/overlays.ts';
import { useHasDiscordApp } from '../../state/permissions.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './notifications.module.css';

type Link = DiscordLinkState['link'];

/** How often the page reads whether messages arrive, which nothing else tells it, in milliseconds. */
const REFRESH_MS = 60_000;

/** The Discord user of a character; null: none; undefined: there is no app, or it isn't known yet. */
export function useDiscordLink(profile: Profile): Link | undefined {
  const hasApp = useHasDiscordApp();
  const { data } = useServerQuery({
    ...discordLink(profile),
    enabled: hasApp,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: 'always',
  });
  return hasApp ? data?.link : undefined;
}

/** The receiver of a character's direct messages, or how to connect one. */
export function DirectMessages({
  profile,
  link,
}: {
  profile: Profile;
  link: NonNullable<Link> | null;
}): ReactNode {
  const { t } = useTranslation();
  const name = profile.characterName;
  const isClosed = link !== null && link.messages_closed_at !== null;
  return (
    <Stack className={styles.device} data-on={(link !== null && !isClosed) || undefined}>
      <p role="status" className="semibold">
        {link === null
          ? t('notifications.direct.notConnected', { name })
          : t(isClosed ? 'notifications.direct.closed' : 'notifications.direct.goTo', {
              discord_name: link.discord_name,
            })}
      </p>
      {link === null ? <p className="muted">{t('notifications.direct.why')}</p> : null}
      {isClosed ? <p className="muted">{t('notifications.direct.howToOpen')}</p> : null}
      <div className={styles.actions}>
        {link === null ? (
          <Button
            variant="primary"
            onClick={() => openOverlay('connectDiscord', {})}
            aria-label={t('notifications.direct.connectOf', { name })}
          >
            {t('shell.profile.connectDiscord')}
          </Button>
        ) : (
          <TestMessage profile={profile}>
            <Button
              onClick={() => openOverlay('connectDiscord', {})}
              aria-label={t('notifications.direct.manageOf', { name })}
            >
              {t('notifications.direct.manage')}
            </Button>
          </TestMessage>
        )}
      </div>
    </Stack>
  );
}

function TestMessage({ profile, children }: { profile: Profile; children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const test = useAction({
    work: () => testDirectMessage(profile.accessKey),
    // Whether messages are closed may have changed.
    atEnd: () => void refreshQuery('discord link'),
  });
  const outcome = test.result?.outcome;
  return (
    <>
      <Button
        busy={test.isBusy}
        onClick={() => test.run()}
        aria-label={t('notifications.direct.testOf', { name: profile.characterName })}
      >
        {t('notifications.test.send')}
      </Button>
      {children}
      {outcome || test.failure ? (
        <Alert tone={outcome === 'sent' ? 'good' : 'bad'} className={styles.outcome}>
          {outcome ? t(`notifications.direct.outcome.${outcome}`) : errorText(test.failure)}
        </Alert>
      ) : null}
    </>
  );
}
