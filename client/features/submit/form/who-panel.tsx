import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { useKnownCharacters } from '../../../state/known-characters.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { SuggestedInput } from '../../../ui/fields/suggested-input.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { type Claimant, isNamed } from '../../claiming/draft/submission-body.ts';
import styles from './who-panel.module.css';

export interface WhoPanelProps {
  claimant: Claimant;
  /** A submission was tried: a name that is missing is said. */
  tried: boolean;
  onChange: (claimant: Claimant) => void;
}

/** An admin's first question: which character, of which member type. */
export function WhoPanel({ claimant, tried, onChange }: WhoPanelProps): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const known = useKnownCharacters();
  const { character_name, member_type } = claimant;
  // Of a character that is known the type is, too; it can still be changed.
  const name = (typed: string): void =>
    onChange({ ...claimant, character_name: typed, member_type: known.typeOf(typed) ?? claimant.member_type });
  return (
    <Panel title={t('submit.admin.who')}>
      <div className={styles.fields}>
        <Field label={t('submit.admin.characterName')} error={tried && !isNamed(claimant) ? t('errors.character.nameRequired') : undefined}>
          <SuggestedInput
            name="character_name"
            maxLength={60}
            value={character_name}
            suggestions={known.like(character_name)}
            onChange={(event) => name(event.target.value)}
          />
        </Field>
        <Field label={t('submit.admin.memberType')}>
          <MemberTypeSelect types={types} value={member_type} onChange={(next) => onChange({ ...claimant, member_type: next })} />
        </Field>
      </div>
    </Panel>
  );
}
