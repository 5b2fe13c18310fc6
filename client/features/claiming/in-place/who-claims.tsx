import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { type Claimant, claimantOf } from '../../../state/claim-draft.ts';
import { useKnownCharacters } from '../../../state/known-characters.ts';
import { useSession } from '../../../state/session-store.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { SuggestedInput } from '../../../ui/fields/suggested-input.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { NameHint } from '../name-hint.tsx';
import { rememberNamed } from './choose-hours.ts';
import styles from './claim-in-place.module.css';

interface ClaimantProps {
  claimant: Claimant;
  error: string | undefined;
  disabled?: boolean;
  onChange: (claimant: Claimant) => void;
}

/** One character is shown, several can be chosen from, and an admin names any. */
export function WhoClaims({
  claimant,
  error,
  disabled = false,
  onChange,
}: ClaimantProps): ReactNode {
  const { t } = useTranslation();
  const profiles = useSession((session) => session.profiles);
  if (claimant.access_key === null) {
    const name = (next: Claimant): void => {
      rememberNamed(next);
      onChange(next);
    };
    return (
      <div className={styles.named}>
        <ClaimantFields claimant={claimant} error={error} disabled={disabled} onChange={name} />
      </div>
    );
  }
  return (
    <div className={styles.who}>
      {profiles.length > 1 ? (
        <Select
          label={t('submit.summary.character')}
          value={claimant.character_name}
          disabled={disabled}
          options={profiles.map(({ characterName }) => ({
            value: characterName,
            label: characterName,
          }))}
          onChange={(chosen) => {
            const profile = profiles.find(({ characterName }) => characterName === chosen);
            if (profile) onChange(claimantOf(profile));
          }}
        />
      ) : (
        <b>{claimant.character_name}</b>
      )}
      <MemberTypeBadge memberType={claimant.member_type} />
    </div>
  );
}

/** The name and the member type of an admin's claimant. A known character fills in its type, which can still be changed. */
export function ClaimantFields({
  claimant,
  error,
  disabled = false,
  onChange,
}: ClaimantProps): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const known = useKnownCharacters();
  const name = (character_name: string): void =>
    onChange({
      ...claimant,
      character_name,
      member_type: known.typeOf(character_name) ?? claimant.member_type,
    });
  return (
    <>
      <Field label={t('submit.admin.characterName')} error={error}>
        <SuggestedInput
          name="character_name"
          maxLength={60}
          readOnly={disabled}
          value={claimant.character_name}
          suggestions={known.like(claimant.character_name)}
          onChange={name}
        />
        {disabled ? null : <NameHint name={claimant.character_name} onTake={name} />}
      </Field>
      <Field label={t('submit.admin.memberType')}>
        <MemberTypeSelect
          types={types}
          value={claimant.member_type}
          disabled={disabled}
          onChange={(member_type) => onChange({ ...claimant, member_type })}
        />
      </Field>
    </>
  );
}
