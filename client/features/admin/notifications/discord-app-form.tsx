import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { type FieldErrors, type Resolver, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { isErrorCode } from '../../../../shared/errors.ts';
import {
  type DiscordApp,
  type DiscordAppInput,
  type DiscordSetup,
  discordAppInput,
} from '../../../../shared/schemas/discord.ts';
import { saveDiscordApp } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useEditConflict } from '../../../lib/use-edit-conflict.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { PasswordInput, TextInput } from '../../../ui/fields/inputs.tsx';
import { EditConflictNotice } from '../forms/edit-conflict.tsx';
import { useSubmitForm } from '../forms/submit-form.ts';
import channel from './channel-form.module.css';
import styles from './discord-app.module.css';

const PORTAL = 'https://discord.com/developers/applications';
const BEFORE_SAVING = ['create', 'copy', 'token'] as const;
const ALL_STEPS = [...BEFORE_SAVING, 'save', 'endpoint', 'invite'] as const;

/**
 * What to do in Discord's developer portal, step by step.
 * @param beforeSaving only the steps that lead to the fields of the form, one below the other
 */
export function PortalSteps({ beforeSaving = false }: { beforeSaving?: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <ol className={beforeSaving ? channel.narrowSteps : channel.steps}>
        {(beforeSaving ? BEFORE_SAVING : ALL_STEPS).map((step) => (
          <li key={step}>
            <p className={channel.stepTitle}>{t(`admin.discordApp.portal.${step}.title`)}</p>
            <p className={channel.muted}>{t(`admin.discordApp.portal.${step}.text`)}</p>
          </li>
        ))}
      </ol>
      <p>
        <a href={PORTAL} target="_blank" rel="noreferrer" className={styles.link}>
          {t('admin.discordApp.portal.link')}
        </a>
      </p>
    </>
  );
}

interface Values {
  application_id: string;
  public_key: string;
  /** Empty: the stored one stays, which the server never sends. */
  bot_token: string;
  /** Empty: every server. */
  guild_id: string;
}
type ValueName = keyof Values;
const NAMES = [
  'application_id',
  'public_key',
  'bot_token',
  'guild_id',
] as const satisfies readonly ValueName[];

type EditedApp = Pick<DiscordApp, 'application_id' | 'public_key' | 'guild_id'> & {
  saved_at: string | null;
};
const NO_APP: EditedApp = { application_id: '', public_key: '', guild_id: null, saved_at: null };

const valuesOf = ({ application_id, public_key, guild_id }: EditedApp): Values => ({
  application_id,
  public_key,
  bot_token: '',
  guild_id: guild_id ?? '',
});

const differing = (before: Values, after: Values): ValueName[] =>
  NAMES.filter((name) => before[name] !== after[name]);

const inputOf = ({ application_id, public_key, bot_token, guild_id }: Values): DiscordAppInput => ({
  application_id,
  public_key,
  ...(bot_token.trim() !== '' && { bot_token }),
  guild_id: guild_id.trim() === '' ? null : guild_id,
});

/** Checks with the server's schema. A message is an error code, or names a sentence of the form. */
function check(values: Values, stored: DiscordApp | null): FieldErrors<Values> {
  const errors: FieldErrors<Values> = {};
  for (const { path } of discordAppInput.safeParse(inputOf(values)).error?.issues ?? []) {
    const [field] = path;
    if (
      field === 'application_id' ||
      field === 'public_key' ||
      field === 'bot_token' ||
      field === 'guild_id'
    )
      errors[field] = { type: 'check', message: field };
  }
  // The token of another application is of no use.
  const keepsToken = stored !== null && stored.application_id === values.application_id.trim();
  if (values.bot_token.trim() === '' && !keepsToken)
    errors.bot_token = { type: 'check', message: 'discord.botTokenRequired' };
  return errors;
}

/** The field that a refusal of the server is about. */
const FIELD_OF: { [code: string]: ValueName | undefined } = {
  'discord.botTokenRequired': 'bot_token',
  'discord.publicKey': 'public_key',
};

interface DiscordAppDialogProps {
  /** As it is now; null: there is none. */
  stored: DiscordApp | null;
  read: () => Promise<DiscordSetup>;
  onClose: () => void;
  onSaved: (setup: DiscordSetup) => Promise<void>;
  /** Takes the focus after a new app was saved. */
  focusAfter: RefObject<HTMLElement | null>;
}

export function DiscordAppDialog({
  stored,
  read,
  onClose,
  onSaved,
  focusAfter,
}: DiscordAppDialogProps): ReactNode {
  const { t } = useTranslation();
  const [isNew] = useState(stored === null);
  // A saved app has other buttons than the one that opened this for a new one.
  const saved = useRef<HTMLElement>(null);
  const keep = async (setup: DiscordSetup): Promise<void> => {
    if (isNew) saved.current = focusAfter.current;
    await onSaved(setup);
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t(isNew ? 'admin.discordApp.setUp' : 'admin.discordApp.edit')}
      focusAfter={saved}
    >
      <DiscordAppForm stored={stored} read={read} onClose={onClose} onSaved={keep} />
    </Dialog>
  );
}

/** The fields of the app beside where to find them. Saving registers the commands. */
function DiscordAppForm({
  stored,
  read,
  onClose,
  onSaved,
}: Omit<DiscordAppDialogProps, 'focusAfter'>): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const helpId = useId();
  const resolver: Resolver<Values> = (values) => {
    const errors = check(values, stored);
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
  const [opened] = useState<EditedApp>(stored ?? NO_APP);
  const form = useForm<Values>({
    defaultValues: valuesOf(opened),
    resolver,
    reValidateMode: 'onSubmit',
  });
  const { errors, isSubmitting } = form.formState;
  const values = useWatch({ control: form.control, compute: (all) => all });
  const notice = useRef<HTMLDivElement>(null);
  const live = (app: DiscordApp | null): EditedApp | undefined =>
    app ?? (opened === NO_APP ? NO_APP : undefined);
  const fill = (all: Values): void => {
    for (const name of NAMES) form.setValue(name, all[name]);
  };
  const edit = useEditConflict({
    opened,
    live: live(stored),
    valuesOf,
    differing,
    typed: values,
    fill,
    saving: isSubmitting,
  });
  const before = edit.stored ?? opened;
  const isChanged = differing(valuesOf(before), values).length > 0;
  const send = async (typed: Values): Promise<void> => {
    // The app is not on the live board: another owner may have saved it a few seconds ago. Then the conflict is shown instead.
    const current = live((await read()).app);
    if (!current || differing(valuesOf(before), valuesOf(current)).length > 0) return;
    // The bot token can't be compared here: the server refuses if another owner saved one meanwhile.
    await onSaved(await saveDiscordApp({ ...inputOf(typed), based_on: before.saved_at }));
    onClose();
  };
  const { submit, busy, error } = useSubmitForm(form, send, (failure) => ({
    field: failure instanceof ApiError ? FIELD_OF[failure.code] : undefined,
    text: errorText(failure),
  }));
  const submitOnce = (event: FormEvent): void => {
    event.preventDefault();
    if (edit.theirs) notice.current?.focus();
    else submit(event);
  };
  const problemOf = (name: ValueName): string | undefined => {
    const message = errors[name]?.message;
    if (message === undefined || errors[name]?.type !== 'check') return message;
    return isErrorCode(message)
      ? t(`errors.${message}`, {})
      : t(`admin.discordApp.form.${name}.invalid`);
  };
  const input = (name: ValueName) => ({
    ...form.register(name, { onChange: () => form.clearErrors() }),
    autoComplete: 'off',
  });
  const keepsToken = stored !== null && stored.application_id === values.application_id.trim();
  return (
    <form noValidate className={channel.form} onSubmit={submitOnce}>
      <div className={channel.columns}>
        <div className={channel.fields}>
          <Field
            label={t('admin.discordApp.form.application_id.label')}
            error={problemOf('application_id')}
          >
            <TextInput
              {...input('application_id')}
              inputMode="numeric"
              maxLength={40}
              spellCheck={false}
            />
          </Field>
          <Field
            label={t('admin.discordApp.form.public_key.label')}
            error={problemOf('public_key')}
          >
            <TextInput
              {...input('public_key')}
              maxLength={80}
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Field
            label={t('admin.discordApp.form.bot_token.label')}
            hint={t(
              keepsToken
                ? 'admin.discordApp.form.bot_token.keep'
                : 'admin.discordApp.form.bot_token.hint',
            )}
            error={problemOf('bot_token')}
          >
            <PasswordInput
              {...input('bot_token')}
              maxLength={250}
              showLabel={t('admin.discordApp.form.bot_token.show')}
              hideLabel={t('admin.discordApp.form.bot_token.hide')}
            />
          </Field>
          <Field
            label={t('admin.discordApp.form.guild_id.label')}
            hint={t('admin.discordApp.form.guild_id.hint')}
            error={problemOf('guild_id')}
          >
            <TextInput
              {...input('guild_id')}
              inputMode="numeric"
              maxLength={40}
              spellCheck={false}
            />
          </Field>
        </div>
        <section aria-labelledby={helpId} className={styles.formHelp}>
          <h3 id={helpId} className={styles.subtitle}>
            {t('admin.discordApp.portal.title')}
          </h3>
          <PortalSteps beforeSaving />
        </section>
      </div>
      <EditConflictNotice
        ref={notice}
        what="discordApp"
        edit={edit}
        labelOf={(name) => t(`admin.discordApp.form.${name}.label`)}
        inWords={(name, theirs) => theirs[name]}
      />
      {error ? (
        <Alert tone="bad" title={t('admin.discordApp.form.failed')}>
          {error}
        </Alert>
      ) : null}
      <DialogActions onCancel={onClose} busy={busy} isChanged={isChanged}>
        <Button type="submit" variant="primary" busy={busy} disabled={edit.outcome === 'deleted'}>
          {t('admin.discordApp.form.save')}
        </Button>
      </DialogActions>
    </form>
  );
}
