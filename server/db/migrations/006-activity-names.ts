import { type Kysely, sql } from 'kysely';
import { namesInEntry } from '../../../shared/rules/entry-names.ts';

/** Entries that are read at once. */
const BATCH = 500;

/** The names by which the activity log and members are searched. Event templates go: copies of events do their job. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  // The order of bytes, so that names with one beginning are a range of the key.
  const collation = dialect === 'postgres' ? 'collate "C"' : '';
  const statements = [
    `create table activity_names (
      name_key text ${collation} not null,
      entry_id integer not null references activity (id) on delete cascade,
      constraint activity_names_pk primary key (name_key, entry_id)
    )${dialect === 'sqlite' ? ' without rowid' : ''}`,
    'create index activity_names_entry on activity_names (entry_id)',
    // SQLite's index of the names is in this order.
    ...(dialect === 'postgres'
      ? ['create index access_keys_name on access_keys (character_key collate "C")']
      : []),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await sql`drop table event_templates`.execute(db);
  await fill(db);
}

async function fill(db: Kysely<unknown>): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; action: string; details: string }>`
      select id, action, details from activity where id > ${last} order by id limit ${BATCH}
    `.execute(db);
    const names = rows.flatMap(({ id, action, details }) =>
      namesInEntry(action, JSON.parse(details)).map((key) => sql`(${key}, ${id})`),
    );
    for (let at = 0; at < names.length; at += BATCH) {
      const some = sql.join(names.slice(at, at + BATCH));
      await sql`insert into activity_names (name_key, entry_id) values ${some}`.execute(db);
    }
    const newest = rows.at(-1);
    if (!newest) return;
    last = newest.id;
  }
}
