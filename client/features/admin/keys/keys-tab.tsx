import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import {
  type AccessKey,
  type AccessKeyInput,
  accessKeyInput,
} from '../../../../shared/schemas/access-key.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../../shared/schemas/member-type.ts';
import { changeInBulk, createAccessKey } from '../../../api/admin-calls.ts';
import { useReadMemberTypes } from '../../../live/read-member-types.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyableCode, useCopy } from '../../../ui/copyable-code.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { CloseIcon } from '../../../ui/icons.tsx';
import { LocalAddressNote } from '../../../ui/local-address-note.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import { pageDraft } from '../forms/drafts.ts';
import { NameField } from '../forms/name-field.tsx';
import { rowEditNotes } from '../forms/row-edit.tsx';
import tab from '../tab.module.css';
import { AdminTable, useAdminTable, useTableWords } from '../table/admin-table.tsx';
import type { BulkAction } from '../table/bulk-bar.tsx';
import { TableFilters } from '../table/table-filters.tsx';
import { searchIn, type TableFilter } from '../table/table-view.ts';
import {
  isConnected,
  useConfirmKeyAction,
  useKeyColumns,
  useShowsDiscord,
  useTypeEdit,
  useVerificationOfKeys,
} from './key-columns.tsx';
import styles from './keys.module.css';

export const KEY_SEARCH = searchIn<AccessKey>(
  ({ character_name, member_type, created_by_username, discord_name }) => [
    character_name,
    member_type,
    created_by_username,
    discord_name,
  ],
  ({ key_value }) => [key_value],
);
const NEWEST_FIRST = { id: 'created', desc: true };
const newestFirst = (keys: AccessKey[]): AccessKey[] => keys.sort((a, b) => b.id - a.id);

/** All access keys, live: create, find, retype, revoke, enable and delete them. */
export function KeysTab(): ReactNode {
  useReadMemberTypes();
  const { t } = useTranslation();
  const keys = useBoard((board) => board.byKind.access_key);
  const mayChange = useMay('guild');
  const words = useTableWords('keys');
  const bulkActions = useBulkActions();
  const edit = useTypeEdit();
  const list = useRef<HTMLElement>(null);
  const columns = useKeyColumns(edit, useConfirmKeyAction(list));
  const types = useBoard((board) => board.byKind.member_type);
  const showsDiscord = useShowsDiscord();
  const verification = useVerificationOfKeys();
  const filters: TableFilter<AccessKey>[] = [
    {
      id: 'type',
      kind: 'select',
      label: t('admin.keys.columns.type'),
      all: t('admin.claims.allTypes'),
      options: [...types.values()].map(({ member_type }) => ({
        value: member_type,
        label: member_type,
      })),
      matches: (key, type) => key.member_type === type,
    },
    {
      id: 'verification',
      kind: 'select',
      label: t('admin.keys.columns.verification'),
      all: t('admin.keys.allVerifications'),
      options: [
        { value: 'verified', label: t('admin.characters.statuses.verified') },
        { value: 'none', label: t('admin.keys.notVerified') },
      ],
      matches: (key, wanted) => (verification(key) === 'verified') === (wanted === 'verified'),
    },
    {
      id: 'active',
      kind: 'check',
      label: t('admin.keys.onlyActive'),
      matches: ({ is_revoked }) => !is_revoked,
    },
    ...(showsDiscord
      ? [
          {
            id: 'discord',
            kind: 'check' as const,
            label: t('admin.keys.onlyConnected'),
            matches: isConnected,
          },
        ]
      : []),
  ];
  const table = useAdminTable({
    columns,
    filters,
    records: [...keys.values()],
    search: KEY_SEARCH,
    usualSort: NEWEST_FIRST,
    inOrder: newestFirst,
    edited: edit.opened,
  });
  return (
    <div className={tab.tab}>
      <Panel>
        <div className={tab.tools}>
          <CreateKey />
          <TableFilters view={table.view} filters={filters} searchLabel={t('admin.keys.search')} />
        </div>
      </Panel>
      <AdminTable
        table={table}
        list={list}
        words={words}
        nameOf={({ character_name }) => character_name}
        bulkActions={mayChange ? bulkActions : null}
        fileName={(date) => t('admin.keys.fileName', { date })}
        edit={edit}
        editNotes={rowEditNotes({ edit, what: 'accessKey' })}
      />
    </div>
  );
}

function CreateKey(): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const [created, setCreated] = useState<AccessKey | null>(null);
  const form = useRecordForm<AccessKey, AccessKeyInput, AccessKeyInput>({
    fields: {
      characterName: { label: t('admin.keys.characterName'), send: tidyName },
      memberType: { label: t('admin.keys.memberType') },
    },
    schema: accessKeyInput,
    checksAtSave: true,
    record: null,
    fresh: { characterName: '', memberType: DEFAULT_MEMBER_TYPE },
    draft: pageDraft('access key'),
    create: async (input) => {
      setCreated(null);
      try {
        setCreated(await createAccessKey(input));
      } finally {
        form.form.setFocus('characterName');
      }
    },
    clears: ['characterName'],
  });
  const { characterName, memberType } = form.typed;
  return (
    <form aria-label={t('admin.keys.newKey')} className={styles.create} onSubmit={form.submit}>
      <div className={styles.createRow}>
        <NameField form={form} name="characterName" />
        <MemberTypeSelect
          types={types}
          label={form.fields.memberType.label}
          value={memberType}
          onChange={(type) => form.form.setValue('memberType', type)}
          wide={false}
        />
        <Button
          type="submit"
          variant="primary"
          busy={form.busy}
          disabled={!tidyName(characterName)}
        >
          {t('admin.keys.generate')}
        </Button>
      </div>
      {form.error ? (
        <Alert tone="bad" title={t('admin.keys.createFailed')}>
          {form.error}
        </Alert>
      ) : null}
      {created ? <CreatedKey accessKey={created} onDismiss={() => setCreated(null)} /> : null}
    </form>
  );
}

function CreatedKey({
  accessKey,
  onDismiss,
}: {
  accessKey: AccessKey;
  onDismiss: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { character_name, key_value } = accessKey;
  const address = `${window.location.origin}/login`;
  const message = t('admin.keys.message', { name: character_name, address, key: key_value });
  const { copied, copy } = useCopy(message);
  const [before, after] = message.split(key_value);
  return (
    <Alert
      tone="good"
      title={t('admin.keys.created', { character_name })}
      action={
        <IconButton
          small
          label={t('common.dismiss')}
          icon={<CloseIcon />}
          onClick={onDismiss}
          className={styles.dismiss}
        />
      }
    >
      <div className={styles.createdKey}>
        <CopyableCode
          text={key_value}
          copyLabel={t('admin.keys.copyName', { name: character_name })}
        />
        <p>{t('admin.keys.sendMessage', { name: character_name })}</p>
        <blockquote className={styles.message}>
          {before}
          <span className={styles.key}>{key_value}</span>
          {after}
        </blockquote>
        <LocalAddressNote url={address} />
        <Button variant="primary" onClick={copy}>
          {copied ? t('shell.profile.copied') : t('admin.keys.copyMessage')}
        </Button>
      </div>
    </Alert>
  );
}

const isActive = ({ is_revoked }: AccessKey): boolean => !is_revoked;

/** The destructive ones last. */
function useBulkActions(): BulkAction<AccessKey>[] {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const [member_type, setMemberType] = useState(DEFAULT_MEMBER_TYPE);
  const wordsOf = (id: 'enable' | 'move' | 'revoke' | 'delete') => ({
    id,
    label: t(`admin.bulk.keys.${id}.label`),
    question: (count: number) => t(`admin.bulk.keys.${id}.question`, { count }),
    text: (keys: readonly AccessKey[]) => (
      <>
        <p>{t(`admin.bulk.keys.${id}.text`)}</p>
        {id === 'revoke' || id === 'delete' ? (
          <AffectedWeeklyClaims
            how={id === 'revoke' ? 'stop' : 'end'}
            characters={keys.map(({ character_name }) => character_name)}
          />
        ) : null}
      </>
    ),
    done: (count: number) => t(`admin.bulk.keys.${id}.done`, { count }),
  });
  return [
    {
      ...wordsOf('enable'),
      harmless: true,
      appliesTo: (key) => !isActive(key),
      run: (ids) => changeInBulk('access-keys', ids, { do: 'enable' }),
    },
    {
      ...wordsOf('move'),
      harmless: true,
      appliesTo: isActive,
      text: () => (
        <>
          <p>{t('admin.bulk.keys.move.text')}</p>
          <Field label={t('admin.keys.memberType')}>
            <MemberTypeSelect types={types} value={member_type} onChange={setMemberType} />
          </Field>
        </>
      ),
      run: (ids) => changeInBulk('access-keys', ids, { do: 'move', member_type }),
    },
    {
      ...wordsOf('revoke'),
      appliesTo: isActive,
      run: (ids) => changeInBulk('access-keys', ids, { do: 'revoke' }),
    },
    {
      ...wordsOf('delete'),
      appliesTo: () => true,
      run: (ids) => changeInBulk('access-keys', ids, { do: 'delete' }),
    },
  ];
}
