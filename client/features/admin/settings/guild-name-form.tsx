import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { updateConfig } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import styles from './settings.module.css';
import { useSetting } from './use-setting.ts';

/** Whose members may verify a character. */
export function GuildNameForm({ stored }: { stored: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { typed, isChanged, changedMeanwhile, busy, refusal, type, submit } = useSetting(stored, {
    tidy: tidyName,
    store: (guild_name) => updateConfig({ guild_name }),
  });
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <div className={styles.row}>
        <Field
          label={t('admin.settings.guildName')}
          hint={stored ? t('admin.settings.onlyGuild', { guild_name: stored }) : t('admin.settings.anybody')}
          className={styles.field}
        >
          <TextInput value={typed} onChange={(event) => type(event.target.value)} maxLength={60} autoComplete="off" spellCheck={false} />
        </Field>
        <Button type="submit" variant="primary" busy={busy} aria-disabled={!isChanged}>
          {t('common.save')}
        </Button>
      </div>
      {changedMeanwhile ? (
        <Alert>{stored ? t('admin.settings.changedMeanwhile', { guild_name: stored }) : t('admin.settings.clearedMeanwhile')}</Alert>
      ) : null}
      {refusal ? <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(refusal) })}</Alert> : null}
    </form>
  );
}
