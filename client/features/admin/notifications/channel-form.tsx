import { type ReactNode, useRef, useState } from 'react';
import { type Path, type PathValue, useForm, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { isErrorCode } from '../../../../shared/errors.ts';
import { EVENT_KEY } from '../../../../shared/event-keys.ts';
import type { Destination, Language } from '../../../../shared/schemas/destination.ts';
import {
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
} from '../../../../shared/schemas/domain-events.ts';
import { createDestination, updateDestination } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { LANGUAGES } from '../../../i18n.ts';
import { useEditConflict } from '../../../lib/use-edit-conflict.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useInterruptedEdit, useKeepEdit } from '../forms/drafts.ts';
import { EditConflictNotice } from '../forms/edit-conflict.tsx';
import styles from './channel-form.module.css';
import {
  type ChannelValues,
  changeOf,
  checkChannel,
  differing,
  inOrder,
  inputOf,
  kindOfUrl,
  proposedName,
  proposedValues,
  valuesOf,
} from './channel-values.ts';
import { Example } from './examples.tsx';
import type { Secret } from './secret-dialog.tsx';

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
  const title =
    subject === 'new' || subject === null
      ? t('admin.notifications.add')
      : t('admin.notifications.editName', { name: subject.name });
  return (
    <Dialog open={subject !== null} onOpenChange={onClose} title={title} wide>
      {subject === null ? null : (
        <ChannelForm
          channel={subject === 'new' ? null : subject}
          channels={channels}
          onDone={onClose}
          onSecret={onSecret}
        />
      )}
    </Dialog>
  );
}

type ErrorField = 'url' | 'name' | 'events';
const ERROR_FIELDS = ['url', 'name', 'events'] as const;

/** The field that a refusal of the server is about. */
const FIELD_OF: { [code: string]: ErrorField | undefined } = {
  'destination.url': 'url',
  'destination.private': 'url',
  'destination.notDiscord': 'url',
  'destination.exists': 'name',
  'destination.nameRequired': 'name',
};

/** Beside the fields there is room for the example. */
const WIDE = '(min-width: 760px)';

interface FormProps extends Pick<ChannelDialogProps, 'channels' | 'onSecret'> {
  channel: Destination | null;
  onDone: () => void;
}

/** Creates a channel, or edits the one it was opened with. A refusal leaves the typed values in place. */
function ChannelForm({ channel, channels, onDone, onSecret }: FormProps): ReactNode {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const textOf = useFieldError();
  const words = useChannelWords();
  const draft = channel ? `channel ${channel.id}` : 'channel';
  const fresh = channel ? valuesOf(channel) : proposedValues(ownLanguage(i18n.language));
  const { opened, values: first } = useInterruptedEdit<Destination | null, ChannelValues>(
    draft,
  ) ?? { opened: channel, values: fresh };
  const [refusal, setRefusal] = useState<unknown>(null);
  const [example, setExample] = useState<PublicEventType>(
    opened?.events[0] ?? PUBLIC_EVENT_TYPES[0],
  );
  const isWide = useMediaQuery(WIDE);
  const element = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const nameFor = (url: string): string => (opened ? '' : proposedName(url, channels));
  const form = useForm<ChannelValues>({
    defaultValues: first,
    resolver: (values) => checkChannel(values, opened, nameFor(values.url)),
    // A problem disappears with the next change and is looked for again at the next try.
    reValidateMode: 'onSubmit',
  });
  const { isSubmitting, errors } = useFormState({ control: form.control });
  const values = useWatch({ control: form.control, compute: (all) => all });
  const live = useBoard((board) => (opened ? board.byKind.destination.get(opened.id) : undefined));
  const edit = useEditConflict({
    opened,
    live,
    valuesOf,
    differing,
    typed: values,
    fill: form.reset,
    saving: isSubmitting,
  });
  const { stored } = edit;
  const isChanged = differing(stored ? valuesOf(stored) : fresh, values).length > 0;
  useKeepEdit(draft, isChanged ? { opened: stored, values } : null);
  const kind = opened?.kind ?? kindOfUrl(values.url)?.kind ?? 'discord';
  const change = <F extends Path<ChannelValues>>(
    field: F,
    value: PathValue<ChannelValues, F>,
  ): void => {
    form.setValue(field, value);
    form.clearErrors();
  };

  const store = async (chosen: ChannelValues): Promise<void> => {
    if (!stored) {
      const { name, secret } = await createDestination(inputOf(chosen, nameFor(chosen.url)));
      showToast({ text: t('admin.notifications.added', { name }) });
      if (secret !== null) onSecret({ name, secret, isRotated: false });
      return;
    }
    const changes = changeOf(stored, chosen);
    if (Object.keys(changes).length > 0) await updateDestination(stored.id, changes);
    showToast({ text: t('admin.notifications.saved') });
  };
  const save = async (chosen: ChannelValues): Promise<void> => {
    setRefusal(null);
    try {
      await store(chosen);
      onDone();
    } catch (error) {
      const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
      if (field) form.setError(field, { type: 'refused', message: errorText(error) });
      else setRefusal(error);
      focusOn(element.current, field ?? 'url');
    }
  };
  const submit = form.handleSubmit(save, (found) =>
    focusOn(element.current, ERROR_FIELDS.find((field) => found[field]) ?? 'url'),
  );

  const preview = <Example type={example} kind={kind} language={values.language} />;
  return (
    <form
      ref={element}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (edit.theirs) notice.current?.focus();
        else if (!isSubmitting) void submit(event);
      }}
    >
      <div className={styles.columns}>
        <div className={styles.fields}>
          <UrlField
            opened={opened}
            url={values.url}
            problem={textOf(errors.url?.message)}
            onChange={(url) => change('url', url)}
          />
          <Field label={t('admin.notifications.form.name')} error={textOf(errors.name?.message)}>
            <TextInput
              data-field="name"
              value={values.name ?? nameFor(values.url)}
              onChange={(event) => change('name', event.target.value)}
              maxLength={60}
              autoComplete="off"
            />
          </Field>
          {kind === 'discord' ? (
            <div className={styles.language}>
              <p className={styles.label}>{t('admin.notifications.form.language')}</p>
              <Segmented
                wide
                label={t('admin.notifications.form.language')}
                value={values.language}
                options={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
                onChange={(language) => change('language', language)}
              />
            </div>
          ) : null}
          <SubscriptionFields
            events={values.events}
            problem={textOf(errors.events?.message)}
            example={example}
            onChange={(events) => change('events', inOrder(events))}
            onExample={setExample}
            preview={isWide ? null : preview}
          />
        </div>
        {isWide ? <div className={styles.preview}>{preview}</div> : null}
      </div>
      <EditConflictNotice ref={notice} what="channel" edit={edit} {...words} />
      {refusal ? (
        <Alert
          tone="bad"
          title={t(
            opened ? 'admin.notifications.form.saveFailed' : 'admin.notifications.form.addFailed',
          )}
        >
          {errorText(refusal)}
        </Alert>
      ) : null}
      <DialogActions onCancel={onDone} busy={isSubmitting} isChanged={isChanged}>
        <Button
          type="submit"
          variant="primary"
          busy={isSubmitting}
          disabled={edit.outcome === 'deleted'}
        >
          {t(opened ? 'common.save' : 'admin.notifications.add')}
        </Button>
      </DialogActions>
    </form>
  );
}

const ownLanguage = (tag: string): Language =>
  LANGUAGES.find(({ code }) => code === tag)?.code ?? 'en';

/** The fields are no plain inputs of react-hook-form, so it cannot focus them. */
const focusOn = (form: HTMLFormElement | null, field: ErrorField): void =>
  form
    ?.querySelector<HTMLElement>(`[data-field="${field}"] input, input[data-field="${field}"]`)
    ?.focus();

/** An error code in words; a refusal already is a sentence. */
function useFieldError(): (message: string | undefined) => string | undefined {
  const { t } = useTranslation();
  return (message) => {
    if (message === 'chooseOne' || message === 'isDiscord')
      return t(`admin.notifications.form.${message}`);
    return message !== undefined && isErrorCode(message) ? t(`errors.${message}`, {}) : message;
  };
}

interface UrlFieldProps {
  opened: Destination | null;
  url: string;
  problem: string | undefined;
  onChange: (url: string) => void;
}

/** Says what kind of channel a pasted URL is for, and explains how to get one. */
function UrlField({ opened, url, problem, onChange }: UrlFieldProps): ReactNode {
  const { t } = useTranslation();
  const parsed = kindOfUrl(url);
  const isKept = opened && url.trim() === '';
  const hint = parsed
    ? t(`admin.notifications.form.detected.${parsed.kind}`, { host: parsed.host })
    : isKept
      ? t('admin.notifications.form.keepUrl', { host: opened.url })
      : t('admin.notifications.form.urlHint');
  return (
    <div className={styles.url}>
      <Field label={t('admin.notifications.form.url')} hint={hint} error={problem}>
        <TextInput
          data-field="url"
          type="url"
          inputMode="url"
          value={url}
          onChange={(event) => onChange(event.target.value)}
          placeholder={opened ? '' : 'https://discord.com/api/webhooks/…'}
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {opened ? null : (
        <details className={styles.how}>
          <summary>{t('admin.notifications.form.how')}</summary>
          <DiscordSteps narrow />
        </details>
      )}
    </div>
  );
}

const STEPS = ['open', 'make', 'paste'] as const;

/** How to create a Discord webhook. @param narrow one step below the other */
export function DiscordSteps({ narrow }: { narrow?: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <ol className={narrow ? styles.narrowSteps : styles.steps}>
      {STEPS.map((step) => (
        <li key={step}>
          <p className={styles.stepTitle}>{t(`admin.notifications.steps.${step}.title`)}</p>
          <p className={styles.muted}>{t(`admin.notifications.steps.${step}.text`)}</p>
        </li>
      ))}
    </ol>
  );
}

interface SubscriptionFieldsProps {
  events: readonly PublicEventType[];
  problem: string | undefined;
  /** The type whose example is subject. */
  example: PublicEventType;
  onChange: (events: PublicEventType[]) => void;
  onExample: (type: PublicEventType) => void;
  /** The example, below its type where there is no room beside the fields. */
  preview: ReactNode;
}

/** The events that a channel subscribes to; the one pressed last shows its example. */
function SubscriptionFields({
  events,
  problem,
  example,
  onChange,
  onExample,
  preview,
}: SubscriptionFieldsProps): ReactNode {
  const { t } = useTranslation();
  const hasAll = events.length === PUBLIC_EVENT_TYPES.length;
  return (
    <fieldset data-field="events" className={styles.subscriptions}>
      <legend className={styles.label}>{t('admin.notifications.form.events')}</legend>
      <Button small variant="quiet" onClick={() => onChange(hasAll ? [] : [...PUBLIC_EVENT_TYPES])}>
        {t(hasAll ? 'admin.notifications.form.none' : 'admin.notifications.form.all')}
      </Button>
      <ul>
        {PUBLIC_EVENT_TYPES.map((type) => {
          const name = t(`admin.notifications.events.${EVENT_KEY[type]}.name`);
          const isShown = example === type;
          return (
            <li key={type} className={classes(styles.type, isShown && styles.shown)}>
              <div className={styles.typeRow}>
                <Checkbox
                  label={name}
                  checked={events.includes(type)}
                  onChange={(event) => {
                    onChange(
                      event.target.checked
                        ? [...events, type]
                        : events.filter((one) => one !== type),
                    );
                    onExample(type);
                  }}
                />
                <Button
                  small
                  variant="quiet"
                  aria-pressed={isShown}
                  onClick={() => onExample(type)}
                  aria-label={t('admin.notifications.form.exampleOf', { name })}
                >
                  {t('admin.notifications.form.example')}
                </Button>
              </div>
              {isShown ? (
                <>
                  <p className={styles.about}>
                    {t(`admin.notifications.events.${EVENT_KEY[type]}.text`)}
                  </p>
                  {preview}
                </>
              ) : null}
            </li>
          );
        })}
      </ul>
      {problem ? (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      ) : null}
    </fieldset>
  );
}

/** Labels and values of the fields, for the conflict notice. */
function useChannelWords(): {
  labelOf: (field: keyof ChannelValues) => string;
  inWords: (field: keyof ChannelValues, values: ChannelValues) => string;
} {
  const { t } = useTranslation();
  return {
    labelOf: (field) => t(`admin.notifications.form.${field}`),
    inWords: (field, values) => {
      if (field === 'events')
        return inOrder(values.events)
          .map((type) => t(`admin.notifications.events.${EVENT_KEY[type]}.name`))
          .join(', ');
      if (field === 'language')
        return LANGUAGES.find(({ code }) => code === values.language)?.name ?? '';
      return values[field] ?? '';
    },
  };
}
