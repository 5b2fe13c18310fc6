import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../../shared/schemas/member-type.ts';
import { createAccessKey } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { NameField, useNameForm } from '../forms/name-form.tsx';
import styles from './keys.module.css';

/** Makes a key, and shows it to be handed over. */
export function CreateKey(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const types = useBoard((board) => board.byKind.member_type);
  const [memberType, setMemberType] = useState(DEFAULT_MEMBER_TYPE);
  const form = useNameForm((characterName) => createAccessKey({ characterName, memberType }));
  const changeType = (next: string): void => {
    setMemberType(next);
    form.forget();
  };
  return (
    <form aria-label={t('admin.keys.newKey')} className={styles.create} onSubmit={(event) => void form.submit(event)}>
      <div className={styles.createRow}>
        <NameField form={form} label={t('admin.keys.characterName')} />
        <MemberTypeSelect types={types} label={t('admin.keys.memberType')} value={memberType} onChange={changeType} wide={false} />
        <Button type="submit" variant="primary" busy={form.busy} disabled={form.isEmpty}>
          {t('admin.keys.generate')}
        </Button>
      </div>
      {form.refusal ? (
        <Alert tone="bad" title={t('admin.keys.createFailed')}>
          {errorText(form.refusal)}
        </Alert>
      ) : null}
      {form.made ? <MadeKey made={form.made} onDismiss={form.dismiss} /> : null}
    </form>
  );
}

function MadeKey({ made: { character_name, key_value }, onDismiss }: { made: AccessKey; onDismiss: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Alert
      tone="good"
      title={t('admin.keys.created', { character_name })}
      action={<IconButton small label={t('common.dismiss')} icon={<CloseIcon />} onClick={onDismiss} />}
    >
      <CopyableCode text={key_value} copyLabel={t('admin.keys.copyName', { name: character_name })} />
    </Alert>
  );
}
