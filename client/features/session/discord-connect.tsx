import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { connectDiscord } from '../../api/calls.ts';
import { ApiError } from '../../api/request.ts';
import { tabStore } from '../../lib/storage.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';

/* A Discord user without a character: the next character that signs in here is connected to it. */

const KEY = 'discordConnect';
/** As long as the server keeps the token. */
const VALID_MS = 30 * 60_000;

interface PendingConnection {
  connect_token: string;
  discord_name: string;
  until: number;
}

function saved(): PendingConnection | null {
  try {
    const kept: Partial<PendingConnection> | null = JSON.parse(tabStore.getItem(KEY) ?? 'null');
    const { connect_token, discord_name, until } = kept ?? {};
    return connect_token && discord_name && until && until > Date.now()
      ? { connect_token, discord_name, until }
      : null;
  } catch {
    return null;
  }
}

const usePending = create<{ pending: PendingConnection | null }>(() => ({ pending: saved() }));

/** Waits for the next sign-in of a character in this tab, also over reloads. */
export function awaitCharacter(found: Omit<PendingConnection, 'until'>): void {
  const pending = { ...found, until: Date.now() + VALID_MS };
  tabStore.setItem(KEY, JSON.stringify(pending));
  usePending.setState({ pending });
}

function forget(): void {
  tabStore.removeItem(KEY);
  usePending.setState({ pending: null });
}

/** Connects a character that has just signed in to the pending Discord user. */
export function useConnectDiscord(): (profile: Profile) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return ({ accessKey, characterName }) => {
    const pending = saved();
    if (!pending) return;
    connectDiscord(pending.connect_token, accessKey).then(
      ({ discord_name: name }) => {
        forget();
        showToast({
          tone: 'good',
          text: t('login.discordConnected', { character: characterName, name }),
        });
      },
      (error: unknown) => {
        // Without an answer of ours, the next sign-in tries again.
        if (error instanceof ApiError && error.code !== '' && error.status < 500) forget();
        showToast({
          tone: 'bad',
          text: t('login.discordNotConnected', { reason: errorText(error) }),
        });
      },
    );
  };
}

/** Tells a Discord user without a character to sign in once with one. */
export function DiscordPending(): ReactNode {
  const { t } = useTranslation();
  const pending = usePending((state) => state.pending);
  if (!pending) return null;
  return (
    <Alert
      tone="accent"
      action={
        <Button small onClick={forget}>
          {t('login.discordDontConnect')}
        </Button>
      }
    >
      {t('login.discordConnect', { name: pending.discord_name })}
    </Alert>
  );
}
