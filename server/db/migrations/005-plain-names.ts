import { type Kysely, sql } from 'kysely';

/** Plain names for tables, columns and indexes. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const statements = dialect === 'postgres' ? [...STATEMENTS, ...OF_POSTGRES] : STATEMENTS;
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'alter table news rename to outbox',
  'drop index news_at',
  'create index outbox_at on outbox (at)',
  'alter table destinations rename to channels',
  'drop index destinations_on',
  'create index channels_enabled on channels (id) where is_enabled = 1',
  'alter table deliveries rename column destination_id to channel_id',
  'drop index deliveries_of',
  'create index deliveries_channel on deliveries (channel_id, id)',
  'alter table jobs rename column via to receiver',
  'alter table push_reminders rename column at to reminder',
  'alter table wrong_tries rename column who to subject_hash',
  'drop index waits_line',
  'create index waits_respawn on waits (respawn_id, date, id) where ended_at is null',
  'drop index waits_of',
  'create index waits_character on waits (character_key, date) where ended_at is null',
];

/** PostgreSQL keeps the names of what belongs to a renamed table. */
const OF_POSTGRES = [
  'alter sequence news_id_seq rename to outbox_id_seq',
  'alter sequence destinations_id_seq rename to channels_id_seq',
  'alter table outbox rename constraint news_pkey to outbox_pkey',
  'alter table channels rename constraint destinations_pkey to channels_pkey',
  'alter table channels rename constraint destinations_name_key_key to channels_name_key_key',
  'alter table deliveries rename constraint deliveries_destination_id_fkey to deliveries_channel_id_fkey',
];
