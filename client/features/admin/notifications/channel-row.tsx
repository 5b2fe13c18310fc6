import { type ReactNode, type RefObject, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EVENT_KEY } from '../../../../shared/event-keys.ts';
import type {
  Destination,
  DestinationKind,
  TestAnswer,
} from '../../../../shared/schemas/destination.ts';
import { PUBLIC_EVENT_TYPES } from '../../../../shared/schemas/domain-events.ts';
import {
  deleteDestination,
  rotateDestinationSecret,
  testDestination,
  updateDestination,
} from '../../../api/admin-calls.ts';
import { LANGUAGES } from '../../../i18n.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { useNotificationsPaused } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { CloseIcon } from '../../../ui/icons.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { type Action, useAction } from '../../../ui/use-action.ts';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import { useWithBoard } from './board-field.tsx';
import { type ChannelStatus, statusOf } from './channel-status.ts';
import { useFailureText, useTimeText } from './channel-words.ts';
import { Deliveries } from './deliveries.tsx';
import styles from './notifications.module.css';
import type { Secret } from './secret-dialog.tsx';

interface ChannelRowProps {
  channel: Destination;
  onEdit: () => void;
  /** Receives a new secret, which is shown once. */
  onSecret: (secret: Secret) => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

/** A channel: its state, its actions, and its deliveries on demand. */
export function ChannelRow({
  channel,
  onEdit,
  onSecret,
  focusAfterDelete,
}: ChannelRowProps): ReactNode {
  const { t } = useTranslation();
  const { id, name, kind, is_enabled, switched_off } = channel;
  const [isOpen, setIsOpen] = useState(false);
  const deliveriesId = useId();
  const test = useTest(id);
  const resume = useResume(channel);
  const status = statusOf(channel, useNotificationsPaused());
  const ask = useAsk(channel, onSecret, focusAfterDelete);
  return (
    <li className={classes(styles.channel, switched_off !== null && styles.off)}>
      <Cluster rowGap={3} gap={5} justify="space-between">
        <Stack gap={1} className={styles.about}>
          <Cluster rowGap={1} className={styles.name}>
            <h2>{name}</h2>
            <Badge>{t(`admin.notifications.kind.${kind}`)}</Badge>
            <Status status={status} />
          </Cluster>
          <ChannelFacts channel={channel} />
        </Stack>
        <Cluster>
          <Button
            small
            busy={test.isBusy}
            onClick={() => test.run()}
            aria-label={t('admin.notifications.test.name', { name })}
          >
            {t('admin.notifications.test.label')}
          </Button>
          <Button
            small
            aria-expanded={isOpen}
            aria-controls={isOpen ? deliveriesId : undefined}
            onClick={() => setIsOpen(!isOpen)}
            aria-label={t('admin.notifications.deliveries.showName', { name })}
          >
            {t('admin.notifications.deliveries.show')}
          </Button>
          {switched_off !== null ? null : is_enabled ? (
            <Button
              small
              onClick={() => ask('pause')}
              aria-label={t('admin.notifications.pauseName', { name })}
            >
              {t('admin.notifications.pause')}
            </Button>
          ) : (
            <Button
              small
              busy={resume.isBusy}
              onClick={() => resume.run()}
              aria-label={t('admin.notifications.resumeName', { name })}
            >
              {t('admin.notifications.resume')}
            </Button>
          )}
          <Button small onClick={onEdit} aria-label={t('admin.rows.edit', { name })}>
            {t('common.edit')}
          </Button>
          {kind === 'webhook' ? (
            <Button
              small
              onClick={() => ask('rotate')}
              aria-label={t('admin.notifications.rotateName', { name })}
            >
              {t('admin.notifications.rotate')}
            </Button>
          ) : null}
          <Button
            small
            variant="danger"
            onClick={() => ask('delete')}
            aria-label={t('admin.rows.delete', { name })}
          >
            {t('common.delete')}
          </Button>
        </Cluster>
      </Cluster>
      {switched_off === null ? null : (
        <DisabledAlert channel={channel} reason={switched_off} resume={resume} />
      )}
      <TestOutcome test={test} channel={channel} />
      {isOpen ? (
        <div id={deliveriesId}>
          <Deliveries channel={channel} />
        </div>
      ) : null}
    </li>
  );
}

const TONE: { [S in ChannelStatus]: string | undefined } = {
  on: styles.good,
  retrying: styles.retrying,
  paused: 'muted',
  disabled: styles.bad,
};

function Status({ status }: { status: ChannelStatus }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={classes(tab.status, 'fine semibold', TONE[status])}>
      {t(`admin.notifications.status.${status}`)}
    </span>
  );
}

function ChannelFacts({ channel }: { channel: Destination }): ReactNode {
  const { t } = useTranslation();
  const timeText = useTimeText();
  const failureText = useFailureText();
  const keepsBoard = useWithBoard()?.(channel).keeps_board ?? false;
  const {
    kind,
    url: host,
    language,
    events,
    last_delivery_at,
    waiting,
    next_try_at,
    last_error,
    switched_off,
  } = channel;
  // A switched-off channel has an alert of its own.
  const isStuck = switched_off === null && (waiting > 0 || last_error !== null);
  return (
    <>
      <p className={tab.facts}>
        <span>{host}</span>
        {kind === 'discord' ? (
          <span>{LANGUAGES.find(({ code }) => code === language)?.name}</span>
        ) : null}
        <span>
          {last_delivery_at === null
            ? t('admin.notifications.facts.never')
            : t('admin.notifications.facts.last', { time: timeText(last_delivery_at) })}
        </span>
      </p>
      {keepsBoard ? <p className="muted">{t('admin.notifications.board.kept')}</p> : null}
      <p className="muted" hidden={events.length === 0}>
        {events.length === PUBLIC_EVENT_TYPES.length
          ? t('admin.notifications.facts.allEvents')
          : t('admin.notifications.facts.someEvents', {
              news: PUBLIC_EVENT_TYPES.filter((type) => events.includes(type))
                .map((type) => t(`admin.notifications.events.${EVENT_KEY[type]}.name`))
                .join(', '),
            })}
      </p>
      {isStuck ? (
        <p className={`${tab.facts} ${styles.stuck}`}>
          {waiting > 0 ? (
            <span>{t('admin.notifications.facts.pending', { count: waiting })}</span>
          ) : null}
          {next_try_at !== null ? (
            <span>
              {t('admin.notifications.facts.nextAttempt', { time: timeText(next_try_at) })}
            </span>
          ) : null}
          {last_error !== null ? (
            <span className="bad">
              {t('admin.notifications.facts.lastError', { reason: failureText(last_error) })}
            </span>
          ) : null}
        </p>
      ) : null}
    </>
  );
}

interface DisabledAlertProps {
  channel: Destination;
  reason: NonNullable<Destination['switched_off']>;
  resume: Action<void>;
}

function DisabledAlert({
  channel: { name, kind, url: host },
  reason,
  resume,
}: DisabledAlertProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert
      tone="bad"
      title={t('admin.notifications.alert.title', { name })}
      action={
        <Button
          small
          busy={resume.isBusy}
          onClick={() => resume.run()}
          aria-label={t('admin.notifications.alert.resumeName', { name })}
        >
          {t('admin.notifications.alert.resume')}
        </Button>
      }
    >
      {t(`admin.notifications.alert.${reason}`, { host })}{' '}
      {t(`admin.notifications.alert.help.${kind}`)}
    </Alert>
  );
}

/** Switches a channel on again, whether an admin or the server switched it off. */
function useResume({ id, name }: Destination): Action<void> {
  const { t } = useTranslation();
  return useAction({
    work: () => updateDestination(id, { is_enabled: 1 }),
    done: () => showToast({ text: t('admin.notifications.resumed', { name }) }),
    failed: (reason) => t('admin.notifications.resumeFailed', { reason }),
  });
}

/** Sends a test message, without retries. */
const useTest = (id: number): Action<void, TestAnswer> =>
  useAction({ work: () => testDestination(id) });

/** The outcome of a test, and what to do if the message did not arrive. */
function TestOutcome({
  test,
  channel,
}: {
  test: Action<void, TestAnswer>;
  channel: Destination;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { result, failure, forget } = test;
  if (!result && !failure) return null;
  const hasArrived = result?.ok === true;
  return (
    <Alert
      tone={hasArrived ? 'good' : 'bad'}
      title={t(
        hasArrived ? 'admin.notifications.test.arrived' : 'admin.notifications.test.failed',
        { name: channel.name },
      )}
      action={
        <IconButton small label={t('common.dismiss')} icon={<CloseIcon />} onClick={forget} />
      }
    >
      {result ? <AnswerText answer={result} channel={channel} /> : errorText(failure)}
    </Alert>
  );
}

function AnswerText({
  answer: { ok, status, error, ms },
  channel,
}: {
  answer: TestAnswer;
  channel: Destination;
}): ReactNode {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const { kind, url: host } = channel;
  const answered =
    status === null ? null : t('admin.notifications.test.answered', { host, status, ms });
  if (ok) return answered ?? t('admin.notifications.test.duration', { ms });
  if (answered === null || status === null) return failureText(error ?? '');
  // Discord's own sentence, with what to do.
  if (error !== null && error !== `HTTP ${status}`) return `${answered} ${failureText(error)}.`;
  return `${answered} ${t(`admin.notifications.test.help.${helpOf(status, kind)}`)}`;
}

function helpOf(
  status: number,
  kind: DestinationKind,
): DestinationKind | 'later' | 'theirs' | 'redirect' | 'other' {
  if ([401, 403, 404, 410].includes(status)) return kind;
  if (status === 429) return 'later';
  if (status >= 500) return 'theirs';
  return status >= 300 && status < 400 ? 'redirect' : 'other';
}

/** Asks before a channel is paused, deleted or given a new secret. */
function useAsk(
  { id, name }: Destination,
  onSecret: (secret: Secret) => void,
  focusAfterDelete: RefObject<HTMLElement | null>,
): (action: 'pause' | 'rotate' | 'delete') => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const run = {
    pause: async () => {
      await updateDestination(id, { is_enabled: 0 });
      showToast({ text: t('admin.notifications.confirm.pause.done', { name }) });
    },
    rotate: async () => {
      const { secret } = await rotateDestinationSecret(id);
      onSecret({ name, secret, isRotated: true });
    },
    delete: async () => {
      await deleteDestination(id);
      offerUndo(t('admin.notifications.confirm.delete.done', { name }), {
        action: 'destination_deleted',
        matches: ({ destination_id }) => destination_id === id,
      });
    },
  };
  return (action) =>
    confirm({
      title: t(`admin.notifications.confirm.${action}.title`, { name }),
      text: (
        <Stack gap={2}>
          <p>{t(`admin.notifications.confirm.${action}.text`)}</p>
          {action === 'rotate' ? null : <PendingMessages id={id} />}
        </Stack>
      ),
      confirmLabel: t(`admin.notifications.confirm.${action}.confirm`),
      onConfirm: run[action],
      errorText: (error) =>
        t(`admin.notifications.confirm.${action}.failed`, { reason: errorText(error) }),
      harmless: action !== 'delete',
      focusAfter: action === 'delete' ? focusAfterDelete : undefined,
    });
}

/** How many messages would be dropped, live. */
function PendingMessages({ id }: { id: number }): ReactNode {
  const { t } = useTranslation();
  const waiting = useBoard((board) => board.byKind.destination.get(id)?.waiting ?? 0);
  return waiting > 0 ? <p>{t('admin.notifications.confirm.pending', { count: waiting })}</p> : null;
}
