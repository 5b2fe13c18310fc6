import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { DomainError, existing } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { DEFAULT_MEMBER_TYPE_COLOR } from '../../../shared/rules/badge.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { flag } from '../../../shared/schemas/fields.ts';
import {
  DEFAULT_VOUCHER_HOURS,
  type MemberType,
  type memberTypeChange,
  type memberTypeInput,
} from '../../../shared/schemas/member-type.ts';
import type { RecordUndo } from '../../activity/undo.ts';
import { deletedRecord, keepUndo, type UndoRecord } from '../../activity/undo-store.ts';
import { changedFields, logActivity } from '../../auth/activity-log.ts';
import { serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { freedHours } from '../freed-hours.ts';
import { findMemberType, memberTypeOf, rankTaken } from '../records/members.ts';

type Input = z.output<typeof memberTypeInput>;
type Change = z.output<typeof memberTypeChange>;

const EDITABLE = [
  'voucher_duration_hours',
  'can_submit',
  'earliest_submission_date',
  'allow_secondary_claims',
  'background_color',
  'guild_ranks',
  'max_hours_per_day',
  'max_hours_per_event',
] as const;

/** A rank may belong to one member type only, so that the type of a verified character is definite. */
async function assertRanksAreFree(tx: Tx, type: MemberType): Promise<void> {
  const taken = await rankTaken(tx, type);
  if (taken) throw new DomainError('memberType.rankTaken', taken);
}

function withChange(type: MemberType, change: Change): MemberType {
  const {
    voucher_duration_hours = type.voucher_duration_hours,
    can_submit = type.can_submit,
    earliest_submission_date = type.earliest_submission_date,
    allow_secondary_claims = type.allow_secondary_claims,
    background_color = type.background_color,
    guild_ranks = type.guild_ranks,
    max_hours_per_day = type.max_hours_per_day,
    max_hours_per_event = type.max_hours_per_event,
  } = change;
  return {
    ...type,
    voucher_duration_hours,
    can_submit,
    earliest_submission_date,
    allow_secondary_claims,
    background_color,
    guild_ranks,
    max_hours_per_day,
    max_hours_per_event,
  };
}

/**
 * Creates a member type, with the defaults of the specification's section 3.
 * @throws DomainError memberType.nameExists, memberType.rankTaken
 */
export function createMemberType(
  ctx: Writing,
  admin: Admin,
  { member_type, ...fields }: Input,
): Promise<MemberType> {
  const defaults: MemberType = {
    member_type,
    voucher_duration_hours: DEFAULT_VOUCHER_HOURS,
    can_submit: 1,
    earliest_submission_date: serverSaveToday(ctx),
    allow_secondary_claims: 1,
    background_color: DEFAULT_MEMBER_TYPE_COLOR,
    is_system: 0,
    guild_ranks: [],
    max_hours_per_day: null,
    max_hours_per_event: null,
  };
  const record = withChange(defaults, fields);
  return write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const other = await findMemberType(tx, member_type);
    if (other) throw new DomainError('memberType.nameExists', { name: other.member_type });
    await assertRanksAreFree(tx, record);
    await tx
      .insertInto('member_types')
      .values({
        ...record,
        name_key: nameKey(member_type),
        guild_ranks: JSON.stringify(record.guild_ranks),
      })
      .execute();
    // A deleted type may have had this name, and its members may be on waitlists (R4.9).
    changes.collect(freedHours).everywhere();
    changes.put({ kind: 'member_type', record });
    const details = omit(record, 'is_system');
    await logActivity(unit, admin, { action: 'member_type_created', details });
    return record;
  });
}

/**
 * Changes the given fields; they apply to its members' next submissions.
 * @throws DomainError memberType.notFound, memberType.rankTaken
 */
export async function updateMemberType(
  ctx: Writing,
  admin: Admin,
  { name, change }: { name: string; change: Change },
): Promise<MemberType> {
  const known = existing(await findMemberType(ctx.db, name), 'memberType.notFound');
  if (isDeepStrictEqual(withChange(known, change), known)) return known;
  return write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const before = existing(await findMemberType(tx, name), 'memberType.notFound');
    const record = withChange(before, change);
    await assertRanksAreFree(tx, record);
    const { member_type, guild_ranks, ...fields } = record;
    await tx
      .updateTable('member_types')
      .set({ ...fields, guild_ranks: JSON.stringify(guild_ranks) })
      .where('member_type', '=', member_type)
      .execute();
    // With a longer voucher, hours may be offered now that were too long before.
    changes.collect(freedHours).everywhere();
    changes.put({ kind: 'member_type', record });
    const changed = changedFields(before, record, EDITABLE);
    await logActivity(unit, admin, {
      action: 'member_type_updated',
      details: { member_type, changed },
    });
    return record;
  });
}

/**
 * Deletes a member type. Keys and claims keep its name, and R4.9 applies to them.
 * @throws DomainError memberType.notFound, memberType.isSystem
 */
export async function deleteMemberType(ctx: Writing, admin: Admin, name: string): Promise<void> {
  // Before the write: counting all claims would block every other write.
  const known = existing(await findMemberType(ctx.db, name), 'memberType.notFound');
  const access_keys = await countOf(ctx.longReads, 'access_keys', known.member_type);
  const claims = await countOf(ctx.longReads, 'claims', known.member_type);
  await write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const { member_type, is_system } = existing(
      await findMemberType(tx, name),
      'memberType.notFound',
    );
    if (is_system) throw new DomainError('memberType.isSystem');
    const undo = await keepUndo(unit, { records: await keptMemberType(tx, member_type) });
    await tx.deleteFrom('member_types').where('member_type', '=', member_type).execute();
    changes.collect(freedHours).everywhere();
    changes.remove('member_type', member_type);
    await logActivity(unit, admin, {
      action: 'member_type_deleted',
      details: { member_type, access_keys, claims },
      undo,
    });
  });
}

/** How many keys or claims have the member type. */
async function countOf(
  db: Db,
  table: 'access_keys' | 'claims',
  member_type: string,
): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('member_type', '=', member_type)
    .executeTakeFirstOrThrow();
  return n;
}

const memberTypeRecord = deletedRecord(
  'member_type',
  z.object({
    member_type: z.string(),
    voucher_duration_hours: z.number().int(),
    can_submit: flag,
    earliest_submission_date: z.string(),
    allow_secondary_claims: flag,
    background_color: z.string(),
    is_system: flag,
    /** string[] */
    guild_ranks: z.string(),
    max_hours_per_day: z.number().int().nullable(),
    max_hours_per_event: z.number().int().nullable(),
  }),
);

/** The row of a member type before it is deleted, for the undo. Keys and claims keep its name and need no record. */
async function keptMemberType(tx: Tx, member_type: string): Promise<UndoRecord[]> {
  const rows = await tx
    .selectFrom('member_types')
    .selectAll()
    .where('member_type', '=', member_type)
    .execute();
  return rows.map((row) => ({ kind: 'member_type', deleted: omit(row, 'name_key') }));
}

/**
 * Restores deleted member types: they apply again to every key that names one.
 * @throws DomainError activity.typeNameTaken, activity.rankTaken
 */
export const memberTypeUndo: RecordUndo<z.infer<typeof memberTypeRecord>> = {
  kinds: ['member_type'],
  record: memberTypeRecord,
  restore: async ({ tx, changes }, records) => {
    for (const { deleted: row } of records) {
      const name_key = nameKey(row.member_type);
      const other = await findMemberType(tx, row.member_type);
      if (other) throw new DomainError('activity.typeNameTaken', { list: other.member_type });
      const record = memberTypeOf({ ...row, name_key });
      const taken = await rankTaken(tx, record);
      if (taken) throw new DomainError('activity.rankTaken', taken);
      await tx
        .insertInto('member_types')
        .values({ ...row, name_key })
        .execute();
      changes.put({ kind: 'member_type', record });
      // Members of this type may be on a waitlist.
      changes.collect(freedHours).everywhere();
    }
    return async () => {};
  },
};
