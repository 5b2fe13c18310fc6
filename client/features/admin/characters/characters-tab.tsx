import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { z } from 'zod';
import { nameKey, tidyName } from '../../../../shared/rules/names.ts';
import { characterInput, type VerifiedCode } from '../../../../shared/schemas/character.ts';
import { changeInBulk, verifyByHand } from '../../../api/admin-calls.ts';
import { placeAddress } from '../../../lib/admin-tabs.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { holds, searchable, wordsOf } from '../../../lib/words/search.ts';
import { useReadMemberTypes } from '../../../live/read-member-types.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { CloseIcon } from '../../../ui/icons.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CharacterCell } from '../claims/claim-words.tsx';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import { pageDraft } from '../forms/drafts.ts';
import { NameField } from '../forms/name-field.tsx';
import tab from '../tab.module.css';
import { AdminTable, useAdminTable, useTableWords } from '../table/admin-table.tsx';
import type { BulkAction } from '../table/bulk-bar.tsx';
import { TableFilters } from '../table/table-filters.tsx';
import { searchIn, type TableFilter } from '../table/table-view.ts';
import {
  RECENT_FIRST,
  useCharacterColumns,
  useConfirmCharacterAction,
  VERIFIED_FIRST,
} from './character-columns.tsx';
import { CHARACTER_STATUSES, newestByName, statusOf } from './character-status.ts';
import styles from './characters.module.css';

export const CHARACTER_SEARCH = searchIn<VerifiedCode>(
  ({ character_name, member_type }) => [character_name, member_type],
  ({ code, access_key }) => [code, access_key],
);
const newestFirst = (records: VerifiedCode[]): VerifiedCode[] =>
  records.sort((a, b) => b.id - a.id);

/** All verification records, live: find them, verify by hand, take access away and give it back. */
export function CharactersTab(): ReactNode {
  useReadMemberTypes();
  const { t } = useTranslation();
  const records = useBoard((board) => board.byKind.verified_code);
  const mayChange = useMay('guild');
  const words = useTableWords('characters');
  const bulkActions = useBulkActions();
  const list = useRef<HTMLElement>(null);
  const columns = useCharacterColumns(useConfirmCharacterAction(list));
  const filters: TableFilter<VerifiedCode>[] = [
    {
      id: 'status',
      kind: 'select',
      label: t('admin.characters.columns.status'),
      all: t('admin.characters.allStatuses'),
      options: CHARACTER_STATUSES.map((status) => ({
        value: status,
        label: t(`admin.characters.statuses.${status}`),
      })),
      matches: (record, status) => statusOf(record) === status,
    },
  ];
  const table = useAdminTable({
    columns,
    filters,
    records: [...records.values()],
    search: CHARACTER_SEARCH,
    usualSort: RECENT_FIRST,
    inOrder: newestFirst,
  });
  const { view } = table;
  const isSortedBy = ({ id, desc }: typeof RECENT_FIRST): boolean =>
    view.sort.id === id && view.sort.desc === desc;
  return (
    <div className={tab.tab}>
      <Panel>
        <div className={tab.tools}>
          <VerifyByHand />
          <TableFilters view={view} filters={filters} searchLabel={t('admin.characters.search')}>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen */}
            <div role="group" aria-label={t('admin.table.sort')} className={styles.orders}>
              <Button
                aria-pressed={isSortedBy(VERIFIED_FIRST)}
                className={styles.order}
                onClick={() => view.setSort(VERIFIED_FIRST)}
              >
                {t('admin.characters.verifiedFirst')}
              </Button>
              <Button
                aria-pressed={isSortedBy(RECENT_FIRST)}
                className={styles.order}
                onClick={() => view.setSort(RECENT_FIRST)}
              >
                {t('admin.characters.recentFirst')}
              </Button>
            </div>
          </TableFilters>
        </div>
      </Panel>
      <AdminTable
        table={table}
        list={list}
        words={words}
        nameOf={({ character_name }) => character_name}
        bulkActions={mayChange ? bulkActions : null}
      >
        {view.isFiltered && view.search === '' ? null : <KeysWithoutRecord search={view.search} />}
      </AdminTable>
    </div>
  );
}

/** So many are named; the Keys tab has all. */
const MAX_NAMED = 60;

/** Members whose key an admin made: without a verification they have no record in this tab. */
function KeysWithoutRecord({ search }: { search: string }): ReactNode {
  const { t } = useTranslation();
  const keys = useBoard((board) => board.byKind.access_key);
  const records = useBoard((board) => board.byKind.verified_code);
  const newest = newestByName(records.values());
  const words = wordsOf(search);
  const without = inNameOrder(
    [...keys.values()].filter(
      (key) =>
        !newest.has(nameKey(key.character_name)) &&
        holds(searchable(key.character_name, key.member_type), words),
    ),
    (key) => key.character_name,
  );
  if (without.length === 0) return null;
  return (
    <section aria-labelledby="keys-without-record" className={styles.without}>
      <h2 id="keys-without-record">
        {t('admin.characters.withoutRecord.title', { count: without.length })}
      </h2>
      <p className="muted small">{t('admin.characters.withoutRecord.text')}</p>
      <ul className={styles.names}>
        {without.slice(0, MAX_NAMED).map((key) => (
          <li key={key.id}>
            <CharacterCell {...key} />
          </li>
        ))}
      </ul>
      {without.length > MAX_NAMED ? (
        <Link to={`${placeAddress('keys')}?verification=none`} className={styles.page}>
          {t('admin.characters.withoutRecord.all', { count: without.length })}
        </Link>
      ) : null}
    </section>
  );
}

/** Verifies a character without its code, and shows its access key to be handed over. */
type CharacterName = z.output<typeof characterInput>;

function VerifyByHand(): ReactNode {
  const { t } = useTranslation();
  const [created, setCreated] = useState<VerifiedCode | null>(null);
  const form = useRecordForm<VerifiedCode, CharacterName, CharacterName>({
    fields: { character_name: { label: t('admin.characters.manual.name'), send: tidyName } },
    schema: characterInput,
    checksAtSave: true,
    record: null,
    fresh: { character_name: '' },
    draft: pageDraft('verified character'),
    create: async ({ character_name }) => {
      setCreated(null);
      try {
        setCreated(await verifyByHand(character_name));
      } finally {
        form.form.setFocus('character_name');
      }
    },
    clears: ['character_name'],
    refusalOf: (reason) => ({ text: t('admin.characters.failed.verify', { reason }) }),
  });
  return (
    <form
      aria-label={t('admin.characters.manual.title')}
      className={styles.byHand}
      onSubmit={form.submit}
    >
      <div className={styles.byHandRow}>
        <NameField form={form} name="character_name" />
        <Button
          type="submit"
          variant="primary"
          busy={form.busy}
          disabled={!tidyName(form.typed.character_name)}
        >
          {t('admin.characters.manual.submit')}
        </Button>
      </div>
      <p className="muted small">{t('admin.characters.manual.hint')}</p>
      {form.error ? <Alert tone="bad">{form.error}</Alert> : null}
      {created ? (
        <Alert
          tone="good"
          title={t('admin.characters.done.verify', { name: created.character_name })}
          action={
            <IconButton
              small
              label={t('common.dismiss')}
              icon={<CloseIcon />}
              onClick={() => setCreated(null)}
            />
          }
        >
          {created.access_key ? (
            <CopyableCode
              text={created.access_key}
              copyLabel={t('admin.characters.copyKey', { name: created.character_name })}
            />
          ) : null}
        </Alert>
      ) : null}
    </form>
  );
}

type BulkActionId = 'enable' | 'unban' | 'revoke' | 'ban' | 'delete';

/** The destructive ones last. Records that show a ban are not deleted: the server refuses a character's last one. */
const APPLIES_TO: { readonly [A in BulkActionId]: (record: VerifiedCode) => boolean } = {
  enable: ({ access_key, access_revoked }) => access_key !== null && access_revoked === 1,
  unban: ({ banned }) => banned === 1,
  revoke: ({ access_key, access_revoked }) => access_key !== null && access_revoked === 0,
  ban: ({ banned }) => banned === 0,
  delete: ({ banned }) => banned === 0,
};
const BULK_ACTIONS = ['enable', 'unban', 'revoke', 'ban', 'delete'] as const;

function useBulkActions(): BulkAction<VerifiedCode>[] {
  const { t } = useTranslation();
  return BULK_ACTIONS.map((id) => ({
    id,
    label: t(`admin.bulk.characters.${id}.label`),
    harmless: id === 'enable' || id === 'unban',
    appliesTo: APPLIES_TO[id],
    // A character may have several records.
    question: (records, characters) =>
      t(`admin.bulk.characters.${id}.question`, { count: id === 'delete' ? records : characters }),
    text: (records) => (
      <>
        <p>{t(`admin.bulk.characters.${id}.text`)}</p>
        {id === 'revoke' || id === 'ban' ? (
          <AffectedWeeklyClaims
            how={id === 'revoke' ? 'stop' : 'end'}
            characters={records.map(({ character_name }) => character_name)}
          />
        ) : null}
      </>
    ),
    run: (ids) => changeInBulk('verified-codes', ids, { do: id }),
    done: (count) => t(`admin.bulk.characters.${id}.done`, { count }),
  }));
}
