import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { type Config, type ConfigChange, configChange } from '../../../../shared/schemas/config.ts';
import { updateConfig } from '../../../api/admin-calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { Facts, Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { pageDraft } from '../forms/drafts.ts';
import styles from './settings.module.css';

/** The guild's settings, live; undefined until the board is loaded. */
export const useConfig = (): Config | undefined =>
  useBoard((board) => board.byKind.config.get(CONFIG_ID));

export function GuildSettings(): ReactNode {
  const { t } = useTranslation();
  const config = useConfig();
  if (!config) return null;
  return (
    <Stack gap={4}>
      <Panel title={t('admin.tabs.settings/guild')}>
        <GuildNameForm config={config} />
      </Panel>
      <EnvironmentFacts config={config} />
    </Stack>
  );
}

/** Read-only: settings of the server's environment. */
function EnvironmentFacts({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const { ss_time_zone, ss_hour, board_visibility, character_check } = config;
  return (
    <Panel title={t('admin.settings.environment.title')}>
      <Stack gap={2} className={styles.form}>
        <Facts
          facts={[
            {
              name: t('admin.settings.environment.save'),
              value: `${String(ss_hour).padStart(2, '0')}:00`,
            },
            { name: t('admin.settings.environment.zone'), value: ss_time_zone },
            {
              name: t('admin.settings.environment.board'),
              value: t(`admin.settings.board.${board_visibility}`),
            },
            {
              name: t('admin.settings.environment.verification'),
              value: t(`admin.settings.verification.${character_check}`),
            },
          ]}
        />
        <p className="muted small">{t('admin.settings.environment.hint')}</p>
      </Stack>
    </Panel>
  );
}

interface GuildNameFormProps {
  config: Config;
  /** The text beside the form already explains a missing name. */
  isExplained?: boolean;
}

/** The guild whose members may verify a character. It follows the stored name until it is edited, then keeps the draft. */
export function GuildNameForm({ config, isExplained = false }: GuildNameFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useRecordForm<Config, { guild_name: string }, ConfigChange>({
    fields: {
      guild_name: {
        label: t('admin.settings.guildName'),
        from: ({ guild_name }) => guild_name ?? '',
        send: tidyName,
      },
    },
    schema: configChange,
    record: config,
    live: () => config,
    follows: true,
    draft: pageDraft('guild name'),
    update: async (_config, change, { savedPart }) => {
      savedPart(await updateConfig(change), ['guild_name']);
      showToast({ text: t('admin.settings.saved') });
    },
    refusalOf: (reason) => ({ text: t('admin.settings.failed', { reason }) }),
  });
  const { guild_name } = config;
  return (
    <Stack as="form" gap={2} className={styles.form} onSubmit={form.submit}>
      <div className={styles.row}>
        <RecordField
          form={form}
          name="guild_name"
          hint={
            guild_name
              ? t('admin.settings.guildMembersOnly', { guild_name })
              : isExplained
                ? null
                : t('admin.settings.anyone')
          }
          className={styles.field}
        >
          {(field) => <TextInput {...field} maxLength={60} autoComplete="off" spellCheck={false} />}
        </RecordField>
        <Button type="submit" variant="primary" busy={form.busy} aria-disabled={!form.isChanged}>
          {t('common.save')}
        </Button>
      </div>
      {form.conflict.theirs ? (
        <Alert>
          {guild_name
            ? t('admin.settings.changedByOther', { guild_name })
            : t('admin.settings.clearedByOther')}
        </Alert>
      ) : null}
      {form.error ? <Alert tone="bad">{form.error}</Alert> : null}
    </Stack>
  );
}
