import { type ReactNode, useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { EVENT_KEY } from '../../../../shared/event-keys.ts';
import type {
  Destination,
  Language,
  NewDestination,
} from '../../../../shared/schemas/destination.ts';
import { PUBLIC_EVENT_TYPES } from '../../../../shared/schemas/domain-events.ts';
import {
  createDestination,
  endBoardMessage,
  keepBoardMessage,
  updateDestination,
} from '../../../api/admin-calls.ts';
import { queryClient } from '../../../api/query.ts';
import { LANGUAGES } from '../../../i18n.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { type RecordForm, useRecordForm } from '../../../ui/form/record-form.ts';
import { Stack } from '../../../ui/layout.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { Step, StepList } from '../../../ui/step-list.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { dialogDraft } from '../forms/drafts.ts';
import { FormNotes } from '../forms/form-notes.tsx';
import { BOARD_MESSAGES, BoardField, useWithBoard } from './board-field.tsx';
import styles from './channel-form.module.css';
import {
  type ChannelRequest,
  type ChannelValues,
  channelRequest,
  type EditedChannel,
  kindOfUrl,
  proposedName,
  proposedValues,
  useChannelFields,
} from './channel-values.ts';
import type { Secret } from './secret-dialog.tsx';
import { WebhookExample } from './webhook-example.tsx';

interface ChannelDialogProps {
  subject: 'new' | Destination | null;
  /** All channels: a new one is proposed a name that none of them has. */
  channels: readonly Destination[];
  onClose: () => void;
  onSecret: (secret: Secret) => void;
}

export function ChannelDialog({
  subject,
  channels,
  onClose,
  onSecret,
}: ChannelDialogProps): ReactNode {
  const { t } = useTranslation();
  const withBoard = useWithBoard();
  const title =
    subject === 'new' || subject === null
      ? t('admin.notifications.add')
      : t('admin.rows.edit', { name: subject.name });
  return (
    <Dialog open={subject !== null} onOpenChange={onClose} title={title}>
      {subject === null ? null : withBoard === null ? (
        <Loading>
          <Skeleton height={320} />
        </Loading>
      ) : (
        <ChannelForm
          channel={subject === 'new' ? null : withBoard(subject)}
          withBoard={withBoard}
          channels={channels}
          onDone={onClose}
          onSecret={onSecret}
        />
      )}
    </Dialog>
  );
}

interface FormProps extends Pick<ChannelDialogProps, 'channels' | 'onSecret'> {
  channel: EditedChannel | null;
  withBoard: (channel: Destination) => EditedChannel;
  onDone: () => void;
}

type ChannelForm = RecordForm<EditedChannel, ChannelValues, ChannelRequest>;

/** Creates a channel, or edits the one it was opened with. A refusal leaves the typed values in place. */
function ChannelForm({ channel, withBoard, channels, onDone, onSecret }: FormProps): ReactNode {
  const { t, i18n } = useTranslation();
  const destinations = useBoard((board) => board.byKind.destination);
  /** The channel that this form has created, if its board was refused then. */
  const [made, setMade] = useState<NewDestination | null>(null);
  const others = channels.filter(({ id }) => id !== made?.id);
  const nameFor = (url: string): string => (channel ? '' : proposedName(url, others));
  const form = useRecordForm<EditedChannel, ChannelValues, ChannelRequest>({
    fields: useChannelFields(nameFor),
    schema: channelRequest(channel),
    checksAtSave: true,
    record: channel,
    live: ({ id }) => {
      const stored = destinations.get(id);
      return stored && withBoard(stored);
    },
    fresh: proposedValues(ownLanguage(i18n.language)),
    draft: dialogDraft(channel ? `channel ${channel.id}` : 'channel'),
    create: async ({ url = '', keeps_board, board_category, ...input }) => {
      const kind = kindOfUrl(url)?.kind ?? 'webhook';
      const values = { ...input, url, kind, is_enabled: 1 } as const;
      const stored = made ?? (await createDestination(values));
      const { id, secret } = stored;
      const { name } = made ? await updateDestination(id, values) : stored;
      setMade(stored);
      if (keeps_board) await storeBoard(id, { keeps_board, board_category });
      showToast({ text: t('admin.notifications.added', { name }) });
      if (secret !== null) onSecret({ name, secret, isRotated: false });
    },
    update: async ({ id }, { keeps_board, board_category, ...change }, { input }) => {
      if (Object.keys(change).length > 0) await updateDestination(id, change);
      if (keeps_board !== undefined || board_category !== undefined) await storeBoard(id, input);
    },
    done: (stored) => {
      if (stored) showToast({ text: t('admin.notifications.saved') });
      onDone();
    },
  });
  const { opened, typed, busy } = form;
  const kind = opened?.kind ?? kindOfUrl(typed.url)?.kind ?? 'discord';
  return (
    <Stack noValidate gap={4} as="form" onSubmit={form.submit}>
      <UrlField form={form} />
      <RecordField form={form} name="name">
        {({ value, ...field }) => (
          <TextInput
            {...field}
            value={value ?? nameFor(typed.url)}
            maxLength={60}
            autoComplete="off"
          />
        )}
      </RecordField>
      {kind === 'discord' ? <LanguageField form={form} /> : null}
      <SubscriptionFields form={form} />
      {kind === 'discord' ? <BoardField form={form} /> : null}
      {kind === 'webhook' ? (
        <WebhookExample type={typed.events.at(-1) ?? PUBLIC_EVENT_TYPES[0]} />
      ) : null}
      <FormNotes
        what="channel"
        form={form}
        failed={t(
          opened ? 'admin.notifications.form.saveFailed' : 'admin.notifications.form.addFailed',
        )}
      />
      <DialogActions onCancel={onDone} busy={busy} isChanged={form.isChanged}>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={form.conflict.outcome === 'deleted'}
        >
          {t(opened ? 'common.save' : 'admin.notifications.add')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

async function storeBoard(
  id: number,
  { keeps_board, board_category }: Pick<ChannelRequest, 'keeps_board' | 'board_category'>,
): Promise<void> {
  if (keeps_board) await keepBoardMessage(id, { category_id: board_category });
  else await endBoardMessage(id);
  await queryClient.invalidateQueries({ queryKey: BOARD_MESSAGES.queryKey });
}

const ownLanguage = (tag: string): Language =>
  LANGUAGES.find(({ code }) => code === tag)?.code ?? 'en';

/** Says what kind of channel a pasted URL is for, and explains how to get one. */
function UrlField({ form }: { form: ChannelForm }): ReactNode {
  const { t } = useTranslation();
  const { opened, typed } = form;
  const parsed = kindOfUrl(typed.url);
  const isKept = opened && typed.url.trim() === '';
  const hint = parsed
    ? t(`admin.notifications.form.detected.${parsed.kind}`, { host: parsed.host })
    : isKept
      ? t('admin.notifications.form.keepUrl', { host: opened.url })
      : t('admin.notifications.form.urlHint');
  return (
    <div className={styles.url}>
      <RecordField form={form} name="url" hint={hint}>
        {(field) => (
          <TextInput
            {...field}
            type="url"
            inputMode="url"
            placeholder={opened ? '' : 'https://discord.com/api/webhooks/…'}
            maxLength={2000}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </RecordField>
      {opened ? null : (
        <details className={styles.how}>
          <summary>{t('admin.notifications.form.how')}</summary>
          <DiscordSteps />
        </details>
      )}
    </div>
  );
}

function LanguageField({ form: { form, fields } }: { form: ChannelForm }): ReactNode {
  const { field } = useController({ control: form.control, name: 'language' });
  const { label } = fields.language;
  return (
    <div className={styles.language}>
      <p className="muted fine medium">{label}</p>
      <Segmented
        wide
        label={label}
        value={field.value}
        options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={field.onChange}
      />
    </div>
  );
}

const STEPS = ['open', 'make', 'paste'] as const;

/** How to create a Discord webhook. */
function DiscordSteps(): ReactNode {
  const { t } = useTranslation();
  return (
    <StepList>
      {STEPS.map((step) => (
        <Step key={step} title={t(`admin.notifications.steps.${step}.title`)}>
          <p>{t(`admin.notifications.steps.${step}.text`)}</p>
        </Step>
      ))}
    </StepList>
  );
}

/** The events that a channel subscribes to. */
function SubscriptionFields({
  form: { form, fields, problemOf },
}: {
  form: ChannelForm;
}): ReactNode {
  const { t } = useTranslation();
  const { field } = useController({ control: form.control, name: 'events' });
  const events = field.value;
  const problem = problemOf('events');
  const hasAll = events.length === PUBLIC_EVENT_TYPES.length;
  return (
    <fieldset className={styles.subscriptions}>
      <legend className="muted fine medium">{fields.events.label}</legend>
      <Button
        small
        variant="quiet"
        onClick={() => field.onChange(hasAll ? [] : [...PUBLIC_EVENT_TYPES])}
      >
        {t(hasAll ? 'admin.notifications.form.none' : 'admin.notifications.form.all')}
      </Button>
      <ul>
        {PUBLIC_EVENT_TYPES.map((type, at) => (
          <li key={type}>
            <Checkbox
              ref={at === 0 ? field.ref : undefined}
              label={t(`admin.notifications.events.${EVENT_KEY[type]}.name`)}
              checked={events.includes(type)}
              onChange={({ target }) =>
                field.onChange(
                  target.checked ? [...events, type] : events.filter((one) => one !== type),
                )
              }
            />
          </li>
        ))}
      </ul>
      {problem ? (
        <p role="alert" className="bad fine medium">
          {problem}
        </p>
      ) : null}
    </fieldset>
  );
}
