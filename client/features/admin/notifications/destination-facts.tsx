import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NEWS_KEY } from '../../../../shared/news-keys.ts';
import type { Destination } from '../../../../shared/schemas/destination.ts';
import { NEWS_TYPES } from '../../../../shared/schemas/news.ts';
import { LANGUAGES } from '../../../i18n.ts';
import styles from './notifications.module.css';
import { useFailureText } from './use-failure-text.ts';
import { useMoment } from './use-moment.ts';

/** Where it is, what it hears, when it last heard something, and what holds it up. */
export function DestinationFacts({ destination }: { destination: Destination }): ReactNode {
  const { t } = useTranslation();
  const moment = useMoment();
  const failureText = useFailureText();
  const { kind, url: host, language, events, last_delivery_at, waiting, next_try_at, last_error, switched_off } = destination;
  // Of one that was switched off an alarm says it.
  const isStuck = switched_off === null && (waiting > 0 || last_error !== null);
  return (
    <>
      <p className={styles.facts}>
        <span>{host}</span>
        {kind === 'discord' ? <span>{LANGUAGES.find(({ code }) => code === language)?.name}</span> : null}
        <span>
          {last_delivery_at === null
            ? t('admin.notifications.facts.never')
            : t('admin.notifications.facts.last', { time: moment(last_delivery_at) })}
        </span>
      </p>
      <p className={styles.hears}>
        {events.length === NEWS_TYPES.length
          ? t('admin.notifications.facts.hearsAll')
          : t('admin.notifications.facts.hears', {
              news: NEWS_TYPES.filter((type) => events.includes(type))
                .map((type) => t(`admin.notifications.news.${NEWS_KEY[type]}.name`))
                .join(', '),
            })}
      </p>
      {isStuck ? (
        <p className={styles.stuck}>
          {waiting > 0 ? <span>{t('admin.notifications.facts.waiting', { count: waiting })}</span> : null}
          {next_try_at !== null ? <span>{t('admin.notifications.facts.nextTry', { time: moment(next_try_at) })}</span> : null}
          {last_error !== null ? (
            <span className={styles.lastError}>{t('admin.notifications.facts.lastError', { reason: failureText(last_error) })}</span>
          ) : null}
        </p>
      ) : null}
    </>
  );
}
