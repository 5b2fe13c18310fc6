import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { newsKeyOf } from '../../../../../shared/news-keys.ts';
import type { Delivery } from '../../../../../shared/schemas/destination.ts';
import { Badge, type BadgeTone } from '../../../../ui/badge.tsx';
import { type DataColumn, DataTable } from '../../../../ui/table/data-table.tsx';
import { useFailureText } from '../use-failure-text.ts';
import { useMoment } from '../use-moment.ts';
import styles from './deliveries.module.css';

const TONES: { [O in Delivery['outcome']]: BadgeTone } = {
  delivered: 'good',
  retrying: 'accent',
  given_up: 'bad',
  switched_off: 'bad',
};

type Column = 'news' | 'at' | 'outcome' | 'attempt' | 'answer' | 'ms';

/** @param deliveries newest first */
export function DeliveriesTable({ caption, deliveries }: { caption: string; deliveries: readonly Delivery[] }): ReactNode {
  const { t } = useTranslation();
  const moment = useMoment();
  const heading = (id: Column): { id: Column; heading: string } => ({
    id,
    heading: t(`admin.notifications.deliveries.columns.${id}`),
  });
  const nameOf = (type: string): string => {
    const key = newsKeyOf(type);
    return key ? t(`admin.notifications.news.${key}.name`) : type;
  };
  const columns: DataColumn<Delivery>[] = [
    { ...heading('news'), part: 'title', cell: ({ type }) => nameOf(type) },
    {
      ...heading('at'),
      cell: ({ at }) => (
        <time dateTime={at} className={styles.time}>
          {moment(at)}
        </time>
      ),
    },
    {
      ...heading('outcome'),
      cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{t(`admin.notifications.deliveries.outcome.${outcome}`)}</Badge>,
    },
    { ...heading('attempt'), cell: ({ attempt }) => <span className={styles.number}>{attempt}</span> },
    { ...heading('ms'), cell: ({ ms }) => <span className={styles.number}>{t('admin.notifications.deliveries.ms', { ms })}</span> },
    { ...heading('answer'), part: 'text', cell: (delivery) => <AnswerCell delivery={delivery} /> },
  ];
  return (
    <DataTable
      caption={caption}
      columns={columns}
      records={deliveries}
      idOf={({ id }) => String(id)}
      sort={null}
      onSort={() => {}}
      sortLabel=""
    />
  );
}

/** The number or the failure, and behind a press what the receiver wrote and the message's id, by which it tells them apart. */
function AnswerCell({ delivery: { status, error, answer, message_id } }: { delivery: Delivery }): ReactNode {
  const { t } = useTranslation();
  const failureText = useFailureText();
  return (
    <details className={styles.answer}>
      <summary>{status ?? failureText(error ?? '')}</summary>
      {answer ? <pre className={styles.body}>{answer}</pre> : <p className={styles.none}>{t('admin.notifications.deliveries.noAnswer')}</p>}
      <p className={styles.none}>{t('admin.notifications.deliveries.messageId', { id: message_id })}</p>
    </details>
  );
}
