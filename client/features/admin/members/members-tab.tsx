import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { canHaveSecondary } from '../../../../shared/rules/secondary.ts';
import type { MemberType } from '../../../../shared/schemas/member-type.ts';
import { deleteMemberType } from '../../../api/admin-calls.ts';
import { placeAddress } from '../../../lib/admin-tabs.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useReadMemberTypes } from '../../../live/read-member-types.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { valuesOf, wordsOf } from '../../../ui/form/fields.ts';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Link } from '../../../ui/link.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { TwoStepButton } from '../../../ui/two-step-button.tsx';
import { useEditFocus, useOpenRows } from '../forms/row-edit.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import { AddMembersButton } from '../people/add-members.tsx';
import { PhoneFold } from '../table/phone-fold.tsx';
import { CreateMemberType, MemberTypeEditor } from './member-type-form.tsx';
import { type TypeUsage, usageByType, useMemberTypeFields } from './member-type-values.ts';
import styles from './members.module.css';

/** All member types, live: create, change and delete them. */
export function MembersTab(): ReactNode {
  useReadMemberTypes();
  const mayGuild = useMay('guild');
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const keys = useBoard((board) => board.byKind.access_key);
  const claims = useBoard((board) => board.byKind.claim);
  const usage = usageByType(keys.values(), claims.values());
  const { rows, openedOf, setOpen } = useOpenRows(types, (type) => type.member_type);
  const list = useRef<HTMLElement>(null);
  const heading = useId();
  return (
    <Stack gap={4} className={styles.tab}>
      {mayGuild ? (
        <PhoneFold label={t('admin.members.newType')}>
          <CreateMemberType />
        </PhoneFold>
      ) : null}
      <section
        ref={list}
        tabIndex={-1}
        aria-labelledby={heading}
        className={`${styles.list} no-ring`}
      >
        <Cluster className={styles.heading}>
          <h2 id={heading}>{t('admin.members.list')}</h2>
          {mayGuild ? <AddMembersButton /> : null}
        </Cluster>
        <ul className={styles.cards}>
          {rows.map((type) => (
            <MemberTypeCard
              key={type.member_type}
              type={type}
              usage={usage.get(type.member_type) ?? { keys: 0, claims: 0 }}
              opened={openedOf(type)}
              onEdit={(editing) => setOpen(type, editing)}
              focusAfterDelete={list}
            />
          ))}
        </ul>
      </section>
    </Stack>
  );
}

interface MemberTypeCardProps {
  type: MemberType;
  usage: TypeUsage;
  /** The type at the start of its edit; null while it is not edited. */
  opened: MemberType | null;
  onEdit: (editing: boolean) => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

function MemberTypeCard({
  type,
  usage,
  opened,
  onEdit,
  focusAfterDelete,
}: MemberTypeCardProps): ReactNode {
  const { t } = useTranslation();
  const card = useRef<HTMLLIElement>(null);
  const { member_type: name, background_color, is_system } = type;
  useEditFocus(card, opened ? name : null);
  return (
    <li ref={card} className={styles.card}>
      <Cluster className={styles.head}>
        <h3>{name}</h3>
        {is_system ? <Badge>{t('admin.members.system')}</Badge> : null}
        <span className={styles.badge}>
          <MemberTypeBadge memberType={name} color={background_color} />
        </span>
      </Cluster>
      {opened ? (
        <div data-edit-fields>
          <MemberTypeEditor opened={opened} onClose={() => onEdit(false)} />
        </div>
      ) : (
        <>
          <Facts type={type} usage={usage} />
          <CardActions
            type={type}
            usage={usage}
            onEdit={() => onEdit(true)}
            focusAfterDelete={focusAfterDelete}
          />
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

function Facts({ type, usage }: Pick<MemberTypeCardProps, 'type' | 'usage'>): ReactNode {
  const { t } = useTranslation();
  const fields = useMemberTypeFields();
  // Roles that see no keys would read "0 keys".
  const seesKeys = useMay('guild');
  const values = valuesOf(fields, type);
  return (
    <dl className={styles.facts}>
      {FACTS.filter(
        (field) => field !== 'allow_secondary_claims' || canHaveSecondary(type.member_type),
      ).map((field) => (
        <div key={field}>
          <dt>{fields[field].label}</dt>
          <dd>{wordsOf(fields, field, values)}</dd>
        </div>
      ))}
      <div>
        <dt>{fields.guild_ranks.label}</dt>
        <Cluster as="dd" gap={1}>
          {type.guild_ranks.length > 0
            ? type.guild_ranks.map((rank) => <Badge key={rank}>{rank}</Badge>)
            : t('admin.activity.none')}
        </Cluster>
      </div>
      <div>
        <dt>{t('admin.members.usedBy')}</dt>
        <dd>
          {seesKeys ? (
            <>
              <Link
                to={`${placeAddress('keys')}?${new URLSearchParams({ type: type.member_type })}`}
              >
                {t('admin.members.keys', { count: usage.keys })}
              </Link>
              {', '}
            </>
          ) : null}
          {t('admin.members.claims', { count: usage.claims })}
        </dd>
      </div>
    </dl>
  );
}

type ActionsProps = Pick<MemberTypeCardProps, 'type' | 'usage' | 'focusAfterDelete'> & {
  onEdit: () => void;
};

function CardActions({ type, usage, onEdit, focusAfterDelete }: ActionsProps): ReactNode {
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
      offerUndo(t('admin.members.deleted', { type_name: name }), {
        action: 'member_type_deleted',
        matches: ({ member_type }) => member_type === name,
      });
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
        <Cluster>
          <Button
            small
            data-edit={name}
            onClick={onEdit}
            aria-label={t('admin.rows.edit', { name })}
          >
            {t('common.edit')}
          </Button>
          {is_system ? (
            <span className="faint small">{t('admin.members.notDeletable')}</span>
          ) : (
            <TwoStepButton
              label={t('common.delete')}
              confirmLabel={t('admin.members.confirmDelete')}
              name={t('admin.rows.delete', { name })}
              confirmName={t('admin.members.confirmDeleteName', { name })}
              warning={t('admin.members.confirmDeleteText', {
                keys: t('admin.members.keys', { count: usage.keys }),
                claims: t('admin.members.claims', { count: usage.claims }),
              })}
              onConfirm={remove}
            />
          )}
        </Cluster>
      ) : null}
    </>
  );
}
