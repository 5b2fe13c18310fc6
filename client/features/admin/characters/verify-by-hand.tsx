import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { verifyByHand } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { NameField, useNameForm } from '../forms/name-form.tsx';
import styles from './characters.module.css';

/** Verifies any character by an admin's word, and shows its key to be handed over. */
export function VerifyByHand(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const form = useNameForm(verifyByHand);
  const { made, refusal } = form;
  return (
    <form aria-label={t('admin.characters.byHand.title')} className={styles.byHand} onSubmit={(event) => void form.submit(event)}>
      <div className={styles.byHandRow}>
        <NameField form={form} label={t('admin.characters.byHand.name')} />
        <Button type="submit" variant="primary" busy={form.busy} disabled={form.isEmpty}>
          {t('admin.characters.byHand.submit')}
        </Button>
      </div>
      <p className={styles.hint}>{t('admin.characters.byHand.hint')}</p>
      {refusal ? <Alert tone="bad">{t('admin.characters.failed.verify', { reason: errorText(refusal) })}</Alert> : null}
      {made ? (
        <Alert
          tone="good"
          title={t('admin.characters.done.verify', { name: made.character_name })}
          action={<IconButton small label={t('common.dismiss')} icon={<CloseIcon />} onClick={form.dismiss} />}
        >
          {made.access_key ? (
            <CopyableCode text={made.access_key} copyLabel={t('admin.characters.copyKey', { name: made.character_name })} />
          ) : null}
        </Alert>
      ) : null}
    </form>
  );
}
