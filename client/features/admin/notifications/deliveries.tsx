import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventKeyOf } from '../../../../shared/event-keys.ts';
import type { Delivery, Destination } from '../../../../shared/schemas/destination.ts';
import { getDeliveries } from '../../../api/admin-calls.ts';
import { useServerQuery } from '../../../api/query.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { FailedLoad } from '../../../ui/alert.tsx';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { MEDIA } from '../../../ui/media.ts';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { type DataColumn, DataTable } from '../../../ui/table/data-table.tsx';
import tab from '../tab.module.css';
import { useFailureText, useTimeText } from './channel-words.ts';
import styles from './notifications.module.css';

/** A phone, where each delivery is a card, shows this many at first. */
const FIRST = 10;

export function Deliveries({ channel }: { channel: Destination }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data: deliveries, isFetching, error, refetch } = useDeliveries(channel);
  const { name } = channel;
  const isPhone = useMediaQuery(MEDIA.small);
  const [isAll, setIsAll] = useState(false);
  const section = useRef<HTMLElement>(null);
  const visible = isPhone && !isAll ? deliveries?.slice(0, FIRST) : deliveries;
  // The pressed button is gone: the first revealed row takes the focus.
  useLayoutEffect(() => {
    if (isAll) section.current?.querySelectorAll('summary')[FIRST]?.focus({ preventScroll: true });
  }, [isAll]);
  return (
    <section
      ref={section}
      aria-label={t('admin.notifications.deliveries.of', { name })}
      className={tab.list}
    >
      {error ? (
        <FailedLoad
          sentence={t('admin.notifications.deliveries.failed')}
          reason={errorText(error)}
          onTryAgain={() => void refetch()}
        />
      ) : null}
      {!deliveries && isFetching ? (
        <Loading className={tab.placeholders}>
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height={44} />
          ))}
        </Loading>
      ) : null}
      {deliveries?.length === 0 ? (
        <EmptyState
          title={t('admin.notifications.deliveries.empty.title')}
          text={t('admin.notifications.deliveries.empty.text')}
        />
      ) : null}
      {deliveries && visible && visible.length > 0 ? (
        <>
          <p className="muted small tabular">
            {t('admin.notifications.deliveries.last', { count: deliveries.length })}
          </p>
          <Panel flush>
            <DeliveriesTable
              caption={t('admin.notifications.deliveries.of', { name })}
              deliveries={visible}
            />
          </Panel>
          {visible.length < deliveries.length ? (
            <Button className={styles.showAll} onClick={() => setIsAll(true)}>
              {t('admin.notifications.deliveries.all')}
            </Button>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

const TONES: { [O in Delivery['outcome']]: BadgeTone } = {
  delivered: 'good',
  retrying: 'accent',
  given_up: 'bad',
  switched_off: 'bad',
};

type Column = 'message' | 'at' | 'outcome' | 'attempt' | 'answer' | 'ms';

/** @param deliveries newest first */
function DeliveriesTable({
  caption,
  deliveries,
}: {
  caption: string;
  deliveries: readonly Delivery[];
}): ReactNode {
  const { t } = useTranslation();
  const timeText = useTimeText();
  const heading = (id: Column): { id: Column; heading: string } => ({
    id,
    heading: t(`admin.notifications.deliveries.columns.${id}`),
  });
  const nameOf = (type: string): string => {
    const key = eventKeyOf(type);
    return key ? t(`admin.notifications.events.${key}.name`) : type;
  };
  const columns: DataColumn<Delivery>[] = [
    { ...heading('message'), part: 'title', cell: ({ type }) => nameOf(type) },
    {
      ...heading('at'),
      cell: ({ at }) => (
        <time dateTime={at} className="muted tabular nowrap">
          {timeText(at)}
        </time>
      ),
    },
    {
      ...heading('outcome'),
      cell: ({ outcome }) => (
        <Badge tone={TONES[outcome]}>
          {t(`admin.notifications.deliveries.outcome.${outcome}`)}
        </Badge>
      ),
    },
    {
      ...heading('attempt'),
      cell: ({ attempt }) => <span className="tabular nowrap">{attempt}</span>,
    },
    {
      ...heading('ms'),
      cell: ({ ms }) => (
        <span className="tabular nowrap">{t('admin.notifications.deliveries.ms', { ms })}</span>
      ),
    },
    { ...heading('answer'), part: 'text', cell: (delivery) => <AnswerCell delivery={delivery} /> },
  ];
  return (
    <DataTable
      caption={caption}
      columns={columns}
      records={deliveries}
      idOf={({ id }) => String(id)}
    />
  );
}

/** The status or the failure; expanded, the receiver's answer and the message id. */
function AnswerCell({
  delivery: { status, error, answer, message_id },
}: {
  delivery: Delivery;
}): ReactNode {
  const { t } = useTranslation();
  const failureText = useFailureText();
  return (
    <details className={styles.answer}>
      <summary>
        {status === null
          ? failureText(error ?? '')
          : t('admin.notifications.deliveries.status', { status })}
      </summary>
      {status !== null && error !== null && error !== `HTTP ${status}` ? (
        <p>{failureText(error)}.</p>
      ) : null}
      {answer ? (
        <pre className={styles.answerBody}>{answer}</pre>
      ) : (
        <p className="muted small anywhere">{t('admin.notifications.deliveries.noAnswer')}</p>
      )}
      <p className="muted small anywhere">
        {t('admin.notifications.deliveries.messageId', { id: message_id })}
      </p>
    </details>
  );
}

/** Reads the deliveries again whenever the channel's record reports another; changes during a request cause one more request. */
function useDeliveries({
  id,
  last_delivery_at,
  last_error,
  next_try_at,
  waiting,
  switched_off,
}: Destination): UseQueryResult<Delivery[]> {
  const state = [last_delivery_at, last_error, next_try_at, waiting, switched_off].join();
  const readState = useRef(state);
  const query = useServerQuery({
    queryKey: ['deliveries', id],
    queryFn: ({ signal }) => {
      readState.current = state;
      return getDeliveries(id, signal);
    },
  });
  const { isFetching, refetch } = query;
  useEffect(() => {
    if (!isFetching && readState.current !== state) void refetch();
  }, [isFetching, state, refetch]);
  return query;
}
