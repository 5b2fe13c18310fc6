import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemberType } from '../../../../shared/schemas/member-type.ts';
import { deleteMemberType } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useMay } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { TwoStepButton } from '../../../ui/two-step-button.tsx';
import { useOfferUndo } from '../activity/undo.ts';
import { useEditFocus } from '../forms/row-edit.ts';
import type { Carriers } from './carriers.ts';
import { MemberTypeEditor } from './member-type-editor.tsx';
import { type MemberTypeValues, useMemberTypeWords, valuesOf } from './member-type-values.ts';
import styles from './members.module.css';

export interface MemberTypeCardProps {
  type: MemberType;
  /** As it is now; undefined when it went while it was edited. */
  live: MemberType | undefined;
  carriers: Carriers;
  /** What its edit began with; null while it is not edited. */
  opened: MemberType | null;
  onEdit: (editing: boolean) => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

/** A member type, and what an admin does with it. */
export function MemberTypeCard({ type, live, carriers, opened, onEdit, focusAfterDelete }: MemberTypeCardProps): ReactNode {
  const { t } = useTranslation();
  const card = useRef<HTMLLIElement>(null);
  const { member_type: name, background_color, is_system } = type;
  useEditFocus(card, opened ? name : null);
  return (
    <li ref={card} className={styles.card}>
      <div className={styles.head}>
        <h2>{name}</h2>
        {is_system ? <Badge>{t('admin.members.system')}</Badge> : null}
        <span className={styles.badge}>
          <MemberTypeBadge memberType={name} color={background_color} />
        </span>
      </div>
      {opened ? (
        <div data-edit-fields>
          <MemberTypeEditor opened={opened} live={live} onDone={() => onEdit(false)} />
        </div>
      ) : (
        <>
          <Facts type={type} carriers={carriers} />
          <CardActions type={type} carriers={carriers} onEdit={() => onEdit(true)} focusAfterDelete={focusAfterDelete} />
        </>
      )}
    </li>
  );
}

const FACTS = [
  'voucher_duration_hours',
  'earliest_submission_date',
  'max_hours_per_day',
  'max_hours_per_event',
  'can_submit',
  'allow_secondary_claims',
] as const;

function Facts({ type, carriers }: Pick<MemberTypeCardProps, 'type' | 'carriers'>): ReactNode {
  const { t } = useTranslation();
  const { labelOf, inWords } = useMemberTypeWords();
  // Whoever sees no keys would read that there are none.
  const seesKeys = useMay('guild');
  const values: MemberTypeValues = valuesOf(type);
  return (
    <dl className={styles.facts}>
      {FACTS.map((field) => (
        <div key={field}>
          <dt>{labelOf(field)}</dt>
          <dd>{inWords(field, values)}</dd>
        </div>
      ))}
      <div>
        <dt>{labelOf('guild_ranks')}</dt>
        <dd className={styles.ranks}>
          {type.guild_ranks.length > 0 ? type.guild_ranks.map((rank) => <Badge key={rank}>{rank}</Badge>) : t('admin.members.noRanks')}
        </dd>
      </div>
      <div>
        <dt>{t('admin.members.carriedBy')}</dt>
        <dd>
          {seesKeys ? `${t('admin.members.keys', { count: carriers.keys })}, ` : null}
          {t('admin.members.claims', { count: carriers.claims })}
        </dd>
      </div>
    </dl>
  );
}

type ActionsProps = Pick<MemberTypeCardProps, 'type' | 'carriers' | 'focusAfterDelete'> & { onEdit: () => void };

function CardActions({ type, carriers, onEdit, focusAfterDelete }: ActionsProps): ReactNode {
  const { t } = useTranslation();
  const mayGuild = useMay('guild');
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const [failure, setFailure] = useState<string | null>(null);
  const { member_type: name, is_system } = type;
  const remove = async (): Promise<void> => {
    setFailure(null);
    try {
      await deleteMemberType(name);
      const said = t('admin.members.deleted', { type_name: name });
      offerUndo(said, { action: 'member_type_deleted', matches: ({ member_type }) => member_type === name });
      focusAfterDelete.current?.focus();
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  return (
    <>
      {failure ? (
        <Alert tone="bad" title={t('admin.members.deleteFailed')}>
          {failure}
        </Alert>
      ) : null}
      {mayGuild ? (
        <div className={styles.actions}>
          <Button small data-edit={name} onClick={onEdit} aria-label={t('admin.members.editName', { name })}>
            {t('common.edit')}
          </Button>
          {is_system ? (
            <span className={styles.protected}>{t('admin.members.systemStays')}</span>
          ) : (
            <TwoStepButton
              label={t('common.delete')}
              confirmLabel={t('admin.members.confirmDelete')}
              name={t('admin.members.deleteName', { name })}
              confirmName={t('admin.members.confirmDeleteName', { name })}
              warning={t('admin.members.nameStays', {
                keys: t('admin.members.keys', { count: carriers.keys }),
                claims: t('admin.members.claims', { count: carriers.claims }),
              })}
              onConfirm={remove}
            />
          )}
        </div>
      ) : null}
    </>
  );
}
