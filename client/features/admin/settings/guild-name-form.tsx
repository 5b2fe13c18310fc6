import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import { updateConfig } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './settings.module.css';

/**
 * Whose members may verify a character. The field follows what is stored until somebody types into it; from then on
 * it keeps what was typed, and says when another admin stored something else meanwhile.
 */
export function GuildNameForm({ stored }: { stored: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  /** What was typed, and over which stored name; null: nothing. */
  const [draft, setDraft] = useState<{ name: string; over: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const name = draft?.name ?? stored;
  const changed = tidyName(name) !== stored;

  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !changed) return;
    setBusy(true);
    setRefusal(null);
    try {
      await updateConfig({ guild_name: name });
      // What was typed meanwhile is not stored yet.
      setDraft((typed) => (typed?.name === name ? null : typed));
      showToast({ text: t('admin.settings.saved') });
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
  };

  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <div className={styles.row}>
        <Field
          label={t('admin.settings.guildName')}
          hint={stored ? t('admin.settings.onlyGuild', { guild_name: stored }) : t('admin.settings.anybody')}
          className={styles.field}
        >
          <TextInput
            value={name}
            onChange={(event) => setDraft({ name: event.target.value, over: draft?.over ?? stored })}
            maxLength={60}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Button type="submit" variant="primary" busy={busy} aria-disabled={!changed}>
          {t('common.save')}
        </Button>
      </div>
      {draft && draft.over !== stored && changed ? (
        <Alert>{stored ? t('admin.settings.changedMeanwhile', { guild_name: stored }) : t('admin.settings.clearedMeanwhile')}</Alert>
      ) : null}
      {refusal ? <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(refusal) })}</Alert> : null}
    </form>
  );
}
