import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { verifyByHand } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { Field } from '../../../ui/field.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import styles from './characters.module.css';

/** Verifies any character by an admin's word, and shows its key to be handed over. What was typed stays until it worked. */
export function VerifyByHand(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [made, setMade] = useState<VerifiedCode | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const characterName = tidyName(name);

  const verify = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    setMade(null);
    try {
      setMade(await verifyByHand(characterName));
      // What was typed meanwhile is the next one.
      setName((typed) => (typed === name ? '' : typed));
      setMissing(false);
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
    field.current?.focus();
  };
  // The button is disabled then, and a form whose button is disabled does not send itself.
  const sayWhatIsMissing = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !characterName) setMissing(true);
  };

  return (
    <form aria-label={t('admin.characters.byHand.title')} className={styles.byHand} onSubmit={(event) => void verify(event)}>
      <div className={styles.byHandRow}>
        <Field
          hideLabel
          label={t('admin.characters.byHand.name')}
          error={missing && !characterName ? t('errors.character.nameRequired') : undefined}
          className={styles.nameField}
        >
          <TextInput
            ref={field}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={sayWhatIsMissing}
            placeholder={t('admin.characters.byHand.name')}
            maxLength={60}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Button type="submit" variant="primary" busy={busy} disabled={!characterName}>
          {t('admin.characters.byHand.submit')}
        </Button>
      </div>
      <p className={styles.hint}>{t('admin.characters.byHand.hint')}</p>
      {refusal ? <Alert tone="bad">{t('admin.characters.failed.verify', { reason: errorText(refusal) })}</Alert> : null}
      {made ? (
        <Alert
          tone="good"
          title={t('admin.characters.done.verify', { name: made.character_name })}
          action={<IconButton small label={t('common.dismiss')} icon={<CloseIcon />} onClick={() => setMade(null)} />}
        >
          {made.access_key ? (
            <CopyableCode text={made.access_key} copyLabel={t('admin.characters.copyKey', { name: made.character_name })} />
          ) : null}
        </Alert>
      ) : null}
    </form>
  );
}
