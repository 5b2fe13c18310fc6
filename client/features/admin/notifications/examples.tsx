import type { TFunction } from 'i18next';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { discordMessage, type SayInDiscord } from '../../../../shared/discord/message.ts';
import { EVENT_KEY } from '../../../../shared/event-keys.ts';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { DestinationKind, Language } from '../../../../shared/schemas/destination.ts';
import type { PublicEvent, PublicEventType } from '../../../../shared/schemas/domain-events.ts';
import { loadSentencesOf } from '../../../i18n.ts';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import styles from './channel-form.module.css';
import { DiscordMessageView } from './discord-view.tsx';
import { exampleEvent } from './example-events.ts';

interface ExampleProps {
  type: PublicEventType;
  kind: DestinationKind;
  language: Language;
}

export function Example({ type, kind, language }: ExampleProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const { date: today } = useServerSaveTime();
  const [timestamp] = useState(() => serverNow().toISOString());
  const guild_name = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.guild_name ?? null);
  const news = exampleEvent(type, { timestamp, today, guild_name });
  return (
    <Stack aria-labelledby={id} gap={2} as="section">
      <h3 id={id} className="muted fine medium">
        {t('admin.notifications.form.exampleOf', {
          name: t(`admin.notifications.events.${EVENT_KEY[type]}.name`),
        })}
      </h3>
      {kind === 'discord' ? (
        <DiscordExample news={news} language={language} />
      ) : (
        <WebhookMessage news={news} />
      )}
    </Stack>
  );
}

/** The message that the server would build of this event, in the channel's language. */
function DiscordExample({ news, language }: { news: PublicEvent; language: Language }): ReactNode {
  const { t } = useTranslation();
  const clock = useServerSaveClock();
  const { translate, failed } = useSentencesOf(language);
  if (failed) return <Alert tone="bad">{t('common.languageFailed')}</Alert>;
  if (!translate) {
    return (
      <Loading>
        <Skeleton height={140} />
      </Loading>
    );
  }
  const say: SayInDiscord = (key, params = {}) => translate(key, params);
  return <DiscordMessageView {...discordMessage([news], { say, clock })} />;
}

/** Loads a language's sentences; the language before stays in view meanwhile. */
function useSentencesOf(language: Language): { translate: TFunction | null; failed: boolean } {
  const [state, setState] = useState<{ translate: TFunction | null; failed: boolean }>({
    translate: null,
    failed: false,
  });
  useEffect(() => {
    let isWanted = true;
    const show = (next: typeof state): void => {
      if (isWanted) setState(next);
    };
    loadSentencesOf(language).then(
      (translate) => show({ translate, failed: false }),
      () => show({ translate: null, failed: true }),
    );
    return () => {
      isWanted = false;
    };
  }, [language]);
  return state;
}

function WebhookMessage({ news }: { news: PublicEvent }): ReactNode {
  const { t } = useTranslation();
  const headers = [
    ['webhook-id', 'msg_1042_3'],
    ['webhook-timestamp', String(Math.floor(Date.parse(news.timestamp) / 1000))],
    ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  ];
  return (
    <Stack gap={2}>
      <p className="muted small">{t('admin.notifications.form.webhookNote')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre className={styles.webhookJson} tabIndex={0}>
        {headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
        {'\n'}
        {JSON.stringify(news, null, 2)}
      </pre>
    </Stack>
  );
}
