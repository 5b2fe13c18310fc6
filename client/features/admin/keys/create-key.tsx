import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../../shared/schemas/member-type.ts';
import { createAccessKey } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { useBoard } from '../../../store/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { Field } from '../../../ui/field.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { MemberTypeSelect } from '../../../ui/member-type-select.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import styles from './keys.module.css';

/** Makes a key, and shows it to be handed over. What was typed stays until it worked. */
export function CreateKey(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const types = useBoard((board) => board.byKind.member_type);
  const [name, setName] = useState('');
  const [memberType, setMemberType] = useState(DEFAULT_MEMBER_TYPE);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [made, setMade] = useState<AccessKey | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const characterName = tidyName(name);

  const generate = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    setMade(null);
    try {
      setMade(await createAccessKey({ characterName, memberType }));
      // What was typed meanwhile is the next one.
      setName((typed) => (typed === name ? '' : typed));
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
    <form aria-label={t('admin.keys.newKey')} className={styles.create} onSubmit={(event) => void generate(event)}>
      <div className={styles.createRow}>
        <Field
          hideLabel
          label={t('admin.keys.characterName')}
          error={missing && !characterName ? t('errors.character.nameRequired') : undefined}
          className={styles.nameField}
        >
          <TextInput
            ref={field}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={sayWhatIsMissing}
            placeholder={t('admin.keys.characterName')}
            maxLength={60}
            autoComplete="off"
          />
        </Field>
        <MemberTypeSelect types={types} label={t('admin.keys.memberType')} value={memberType} onChange={setMemberType} wide={false} />
        <Button type="submit" variant="primary" busy={busy} disabled={!characterName}>
          {t('admin.keys.generate')}
        </Button>
      </div>
      {refusal ? (
        <Alert tone="bad" title={t('admin.keys.createFailed')}>
          {errorText(refusal)}
        </Alert>
      ) : null}
      {made ? <MadeKey made={made} onDismiss={() => setMade(null)} /> : null}
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
