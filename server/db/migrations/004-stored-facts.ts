import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';

/** Facts that were read from the activity log until now, which may be pruned; and the end of weekly claims. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await copyFormerMembers(db);
}

const STATEMENTS = [
  // The key under which a weekly claim was made; null: its character had none.
  'alter table standing_claims add column access_key_id integer',
  `update standing_claims set access_key_id =
      (select id from access_keys where access_keys.character_key = standing_claims.character_key)`,
  // Ended weekly claims stay for a while, so that an undo resumes them.
  'alter table standing_claims add column ended_at text',
  'alter table standing_claims add column end_reason text',
  'alter table standing_claims add column respawn_name text',
  'create index standing_claims_ended on standing_claims (ended_at) where ended_at is not null',
  // When the last key of a character was deleted or, because the character was traded, replaced.
  `create table former_members (
      character_key text primary key,
      left_at text not null
    )`,
  // Since when the spot or the character of a star has been gone; null: neither is.
  'alter table stars add column unused_since text',
];

const entry = z.object({
  character_name: z.string().optional(),
  names: z.array(z.string()).optional(),
});
const piece = z.array(
  z.looseObject({
    kind: z.string(),
    deleted: z.looseObject({ character_name: z.string() }).optional(),
  }),
);

/** From the log's entries of deleted keys. Those of a bulk deletion have only the first names; their undos have all. */
async function copyFormerMembers(db: Kysely<unknown>): Promise<void> {
  const entries = await sql<{ id: number; timestamp: string; details: string }>`
    select id, timestamp, details from activity
    where action in ('access_key_deleted', 'access_keys_deleted') and undone_at is null order by id`.execute(
    db,
  );
  const left = new Map<string, string>();
  for (const { id, timestamp, details } of entries.rows) {
    const { character_name, names = [] } = entry.safeParse(JSON.parse(details)).data ?? {};
    const pieces = await sql<{ body: string }>`
      select body from undo_pieces join undos on undos.id = undo_id where entry_id = ${id}`.execute(
      db,
    );
    const records = pieces.rows.flatMap(({ body }) => piece.safeParse(JSON.parse(body)).data ?? []);
    const deleted = records.flatMap((record) =>
      record.kind === 'access_key' ? (record.deleted?.character_name ?? []) : [],
    );
    for (const each of [
      ...(character_name === undefined ? [] : [character_name]),
      ...names,
      ...deleted,
    ])
      left.set(nameKey(each), timestamp);
  }
  // Those who have a key again are members.
  const keys = await sql<{ character_key: string }>`select character_key from access_keys`.execute(
    db,
  );
  for (const { character_key } of keys.rows) left.delete(character_key);
  for (const [character_key, left_at] of left)
    await sql`insert into former_members (character_key, left_at) values (${character_key}, ${left_at})`.execute(
      db,
    );
}
