import type { TFunction } from 'i18next';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { discordMessage, type SayInDiscord } from '../../../../../shared/discord/message.ts';
import type { Language } from '../../../../../shared/schemas/destination.ts';
import type { News } from '../../../../../shared/schemas/news.ts';
import { loadSentencesOf } from '../../../../i18n.ts';
import { useServerSaveClock } from '../../../../state/clock.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx';
import { DiscordMessageView } from './discord-message.tsx';

/** The very message that the server makes of such news, in the language in which it is sent. */
export function DiscordExample({ news, language }: { news: News; language: Language }): ReactNode {
  const { t } = useTranslation();
  const clock = useServerSaveClock();
  const { said, failed } = useSentencesOf(language);
  if (failed) return <Alert tone="bad">{t('common.languageFailed')}</Alert>;
  if (!said) {
    return (
      <Loading>
        <Skeleton height={140} />
      </Loading>
    );
  }
  const say: SayInDiscord = (key, params = {}) => said(key, params);
  return <DiscordMessageView message={discordMessage([news], { say, clock })} />;
}

/** Fetched when they are first shown; the language before stays in view meanwhile. */
function useSentencesOf(language: Language): { said: TFunction | null; failed: boolean } {
  const [state, setState] = useState<{ said: TFunction | null; failed: boolean }>({ said: null, failed: false });
  useEffect(() => {
    let isWanted = true;
    const show = (next: typeof state): void => {
      if (isWanted) setState(next);
    };
    loadSentencesOf(language).then(
      (said) => show({ said, failed: false }),
      () => show({ said: null, failed: true }),
    );
    return () => {
      isWanted = false;
    };
  }, [language]);
  return state;
}
