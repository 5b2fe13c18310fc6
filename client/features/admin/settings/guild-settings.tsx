import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import { updateConfig } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Facts, Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useDraftState } from '../forms/drafts.ts';
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
      <Panel title={t('admin.settings.title')}>
        <GuildNameForm stored={config.guild_name ?? ''} />
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
      <div className={styles.form}>
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
        <p className={styles.hint}>{t('admin.settings.environment.hint')}</p>
      </div>
    </Panel>
  );
}

interface GuildNameDraft {
  name: string;
  over: string;
}

interface GuildNameFormProps {
  stored: string;
  /** The text beside the form already explains a missing name. */
  isExplained?: boolean;
}

/** The guild whose members may verify a character. It follows the stored name until it is edited, then keeps the draft. */
export function GuildNameForm({ stored, isExplained = false }: GuildNameFormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [draft, setDraft] = useDraftState<GuildNameDraft | null>('guild name', null);
  const typed = draft?.name ?? stored;
  const isChanged = tidyName(typed) !== stored;
  const changedMeanwhile = draft !== null && draft.over !== stored && isChanged;
  const save = useAction({
    work: (name: string) => updateConfig({ guild_name: tidyName(name) }),
    done: (_config, name) => {
      // Text typed while saving is not stored yet.
      setDraft((now) => (now?.name === name ? null : now));
      showToast({ text: t('admin.settings.saved') });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged) save.run(typed);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.row}>
        <Field
          label={t('admin.settings.guildName')}
          hint={
            stored
              ? t('admin.settings.guildMembersOnly', { guild_name: stored })
              : isExplained
                ? null
                : t('admin.settings.anyone')
          }
          className={styles.field}
        >
          <TextInput
            value={typed}
            onChange={(event) =>
              setDraft({ name: event.target.value, over: draft?.over ?? stored })
            }
            maxLength={60}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Button type="submit" variant="primary" busy={save.isBusy} aria-disabled={!isChanged}>
          {t('common.save')}
        </Button>
      </div>
      {changedMeanwhile ? (
        <Alert>
          {stored
            ? t('admin.settings.changedByOther', { guild_name: stored })
            : t('admin.settings.clearedByOther')}
        </Alert>
      ) : null}
      {save.failure ? (
        <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(save.failure) })}</Alert>
      ) : null}
    </form>
  );
}
