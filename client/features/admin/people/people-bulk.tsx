import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkAnswer } from '../../../../shared/schemas/bulk.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../../shared/schemas/member-type.ts';
import { changeInBulk } from '../../../api/admin-calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import type { BulkAction } from '../table/bulk-bar.tsx';
import { actionsFor, type Person } from './person.ts';

type BulkId = 'enable' | 'unban' | 'move' | 'revoke' | 'ban' | 'forget' | 'delete';

const isActive = ({ key }: Person): boolean => key?.is_revoked === 0;
const isBanned = ({ record }: Person): boolean => record?.banned === 1;

/** The effect of an action on the weekly claims of its members. */
const WEEKLY_CLAIMS = { revoke: 'stop', ban: 'end', delete: 'end' } as const;

const keysOf = (people: readonly Person[]): number[] => people.flatMap(({ key }) => key?.id ?? []);
const recordsOf = (people: readonly Person[]): number[] =>
  people.flatMap(({ record }) => record?.id ?? []);
const allRecordsOf = (people: readonly Person[]): number[] =>
  people.flatMap(({ records }) => records.map(({ id }) => id));
const countRecords = (people: readonly Person[]): number => allRecordsOf(people).length;

/** Some have only a key and some only a record: no one call reaches all of them, and no one undo. */
const bansInTwoCalls = (people: readonly Person[]): boolean =>
  people.some(({ key }) => key === null) && people.some(({ record }) => record === null);

async function ban(people: readonly Person[]): Promise<BulkAnswer> {
  const keyless = people.filter(({ key }) => key === null);
  if (keyless.length === 0) return changeInBulk('access-keys', keysOf(people), { do: 'ban' });
  if (!bansInTwoCalls(people))
    return changeInBulk('verified-codes', recordsOf(people), { do: 'ban' });
  const byKey = await changeInBulk('access-keys', keysOf(people), { do: 'ban' });
  const byRecord = await changeInBulk('verified-codes', recordsOf(keyless), { do: 'ban' });
  return {
    changed: byKey.changed + byRecord.changed,
    unchanged: byKey.unchanged + byRecord.unchanged,
    activity_id: null,
  };
}

/** For selected characters, the destructive ones last. */
export function usePeopleBulkActions(): BulkAction<Person>[] {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const [member_type, setMemberType] = useState(DEFAULT_MEMBER_TYPE);
  const wordsOf = (id: BulkId) => ({
    id,
    label: t(`admin.bulk.keys.${id}.label`),
    question: (count: number) => t(`admin.bulk.keys.${id}.question`, { count }),
    text: (people: readonly Person[]): ReactNode => (
      <>
        <p>{t(`admin.bulk.keys.${id}.text`)}</p>
        {id === 'revoke' || id === 'ban' || id === 'delete' ? (
          <AffectedWeeklyClaims
            how={WEEKLY_CLAIMS[id]}
            characters={people.map(({ character_name }) => character_name)}
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
      appliesTo: ({ key }) => key?.is_revoked === 1,
      run: (_rows, people) => changeInBulk('access-keys', keysOf(people), { do: 'enable' }),
    },
    {
      ...wordsOf('unban'),
      harmless: true,
      appliesTo: isBanned,
      run: (_rows, people) => changeInBulk('verified-codes', recordsOf(people), { do: 'unban' }),
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
      run: (_rows, people) =>
        changeInBulk('access-keys', keysOf(people), { do: 'move', member_type }),
    },
    {
      ...wordsOf('revoke'),
      appliesTo: isActive,
      run: (_rows, people) => changeInBulk('access-keys', keysOf(people), { do: 'revoke' }),
    },
    {
      ...wordsOf('ban'),
      appliesTo: (person) => actionsFor(person).includes('ban'),
      isNotUndoable: bansInTwoCalls,
      run: (_rows, people) => ban(people),
    },
    {
      ...wordsOf('forget'),
      // The server refuses to delete the last record of a banned character.
      appliesTo: (person) => person.record !== null && !isBanned(person),
      question: (_count, _names, people) =>
        t('admin.bulk.keys.forget.question', { count: countRecords(people) }),
      changes: countRecords,
      run: (_rows, people) =>
        changeInBulk('verified-codes', allRecordsOf(people), { do: 'delete' }),
    },
    {
      ...wordsOf('delete'),
      appliesTo: ({ key }) => key !== null,
      run: (_rows, people) => changeInBulk('access-keys', keysOf(people), { do: 'delete' }),
    },
  ];
}
