import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { ErrorCode } from '../../../../shared/errors.ts';
import {
  type DiscordApp,
  type DiscordSetup,
  discordAppInput,
} from '../../../../shared/schemas/discord.ts';
import { saveDiscordApp } from '../../../api/admin-calls.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { PasswordInput, TextInput } from '../../../ui/fields/inputs.tsx';
import { differing, type FormFields, valuesOf } from '../../../ui/form/fields.ts';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { Stack } from '../../../ui/layout.tsx';
import { Step, StepList } from '../../../ui/step-list.tsx';
import { FormNotes } from '../forms/form-notes.tsx';
import channel from './channel-form.module.css';
import styles from './discord-app.module.css';

const PORTAL = 'https://discord.com/developers/applications';
const STEPS = ['create', 'copy', 'token'] as const;

function PortalSteps(): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <StepList>
        {STEPS.map((step) => (
          <Step key={step} title={t(`admin.discordApp.portal.${step}.title`)}>
            <p>{t(`admin.discordApp.portal.${step}.text`)}</p>
          </Step>
        ))}
      </StepList>
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

type EditedApp = Pick<DiscordApp, 'application_id' | 'public_key' | 'guild_id'> & {
  saved_at: string | null;
};
const NO_APP: EditedApp = { application_id: '', public_key: '', guild_id: null, saved_at: null };

const fields = discordAppInput.omit({ based_on: true });
type AppRequest = z.output<typeof fields>;

/** The token of another application is of no use. */
const keepsToken = (stored: DiscordApp | null, application_id: string): boolean =>
  stored !== null && stored.application_id === application_id.trim();

function useAppFields(): FormFields<EditedApp, Values> {
  const { t } = useTranslation();
  const texts = (name: keyof Values) => ({
    label: t(`admin.discordApp.form.${name}.label`),
    invalid: () => t(`admin.discordApp.form.${name}.invalid`),
  });
  return {
    application_id: { ...texts('application_id'), from: ({ application_id }) => application_id },
    public_key: {
      ...texts('public_key'),
      from: ({ public_key }) => public_key,
      codes: ['discord.publicKey'],
    },
    bot_token: {
      ...texts('bot_token'),
      from: () => '',
      send: (token) => token.trim() || undefined,
      codes: ['discord.botTokenRequired'],
    },
    guild_id: {
      ...texts('guild_id'),
      from: ({ guild_id }) => guild_id ?? '',
      send: (id) => id.trim() || null,
    },
  };
}

/** Another owner saved the app a few seconds ago. */
const CHANGED = new Error('changed meanwhile');

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
  const helpId = useId();
  const appFields = useAppFields();
  const live = (opened: EditedApp, app: DiscordApp | null): EditedApp | undefined =>
    app ?? (opened === NO_APP ? NO_APP : undefined);
  const form = useRecordForm<EditedApp, Values, AppRequest>({
    fields: appFields,
    schema: fields.superRefine(({ application_id, bot_token }, check) => {
      if (bot_token === undefined && !keepsToken(stored, application_id))
        check.addIssue({
          code: 'custom',
          path: ['bot_token'],
          message: 'discord.botTokenRequired' satisfies ErrorCode,
        });
    }),
    checksAtSave: true,
    // Saving registers the commands, also again.
    alwaysSends: true,
    record: stored ?? NO_APP,
    live: (opened) => live(opened, stored),
    update: async (before, _change, { input }) => {
      // The app is not on the live board. Reading it shows the conflict.
      const current = live(before, (await read()).app);
      if (
        !current ||
        differing(appFields, valuesOf(appFields, before), valuesOf(appFields, current)).length > 0
      )
        throw CHANGED;
      // The bot token can't be compared here: the server refuses if another owner saved one meanwhile.
      await onSaved(await saveDiscordApp({ ...input, based_on: before.saved_at }));
    },
    done: onClose,
    refusalOf: (_reason, error) => (error === CHANGED ? null : {}),
  });
  const { busy } = form;
  const text = { autoComplete: 'off', spellCheck: false } as const;
  return (
    <Stack gap={4} as="form" noValidate onSubmit={form.submit}>
      <Stack gap={5} className={channel.columns}>
        <Stack gap={4} className={channel.fields}>
          <RecordField form={form} name="application_id">
            {(field) => <TextInput {...field} {...text} inputMode="numeric" maxLength={40} />}
          </RecordField>
          <RecordField form={form} name="public_key">
            {(field) => <TextInput {...field} {...text} maxLength={80} autoCapitalize="none" />}
          </RecordField>
          <RecordField
            form={form}
            name="bot_token"
            hint={t(
              keepsToken(stored, form.typed.application_id)
                ? 'admin.discordApp.form.bot_token.keep'
                : 'admin.discordApp.form.bot_token.hint',
            )}
          >
            {(field) => (
              <PasswordInput
                {...field}
                autoComplete="off"
                maxLength={250}
                showLabel={t('admin.discordApp.form.bot_token.show')}
                hideLabel={t('admin.discordApp.form.bot_token.hide')}
              />
            )}
          </RecordField>
          <RecordField form={form} name="guild_id" hint={t('admin.discordApp.form.guild_id.hint')}>
            {(field) => <TextInput {...field} {...text} inputMode="numeric" maxLength={40} />}
          </RecordField>
        </Stack>
        <Stack aria-labelledby={helpId} as="section" className={styles.formHelp}>
          <h3 id={helpId}>{t('admin.discordApp.portal.title')}</h3>
          <PortalSteps />
        </Stack>
      </Stack>
      <FormNotes what="discordApp" form={form} failed={t('admin.discordApp.form.failed')} />
      <DialogActions onCancel={onClose} busy={busy} isChanged={form.isChanged}>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={form.conflict.outcome === 'deleted'}
        >
          {t('admin.discordApp.form.save')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
