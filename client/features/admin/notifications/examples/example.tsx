import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../../shared/kinds.ts';
import { NEWS_KEY } from '../../../../../shared/news-keys.ts';
import type { DestinationKind, Language } from '../../../../../shared/schemas/destination.ts';
import type { NewsType } from '../../../../../shared/schemas/news.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { serverNow, useServerSaveTime } from '../../../../state/clock.ts';
import { DiscordExample } from './discord-example.tsx';
import styles from './example.module.css';
import { exampleNews } from './example-news.ts';
import { WebhookMessage } from './webhook-message.tsx';

interface ExampleProps {
  type: NewsType;
  kind: DestinationKind;
  language: Language;
}

/** A message of a type, as it will look where it arrives. */
export function Example({ type, kind, language }: ExampleProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const { date: today } = useServerSaveTime();
  const [timestamp] = useState(() => serverNow().toISOString());
  const guild_name = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.guild_name ?? null);
  const news = exampleNews(type, { timestamp, today, guild_name });
  return (
    <section aria-labelledby={id} className={styles.example}>
      <h3 id={id} className={styles.title}>
        {t('admin.notifications.form.exampleOf', { name: t(`admin.notifications.news.${NEWS_KEY[type]}.name`) })}
      </h3>
      {kind === 'discord' ? <DiscordExample news={news} language={language} /> : <WebhookMessage news={news} />}
    </section>
  );
}
