import { type Kysely, sql } from 'kysely';

/**
 * Starred spots. They belong to the character, so they survive a new access key. A row survives its spot, too, so that undoing the
 * deletion brings the star back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table stars (
      character_key text not null,
      respawn_id integer not null,
      position integer not null,
      constraint stars_pk primary key (character_key, respawn_id)
    )`)
    .execute(db);
}
