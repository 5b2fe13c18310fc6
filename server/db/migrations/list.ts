import type { Kysely } from 'kysely';
import { up as createVersion1 } from './001-version-1.ts';
import { up as addNamesDiscordStandingTransfers } from './002-names-discord-standing-transfers.ts';
import { up as addStars } from './003-stars.ts';
import { up as storeFacts } from './004-stored-facts.ts';

/** By name, in order. */
export type Migrations = Readonly<
  Record<string, { up: (db: Kysely<unknown>, dialect: 'sqlite' | 'postgres') => Promise<void> }>
>;

export const MIGRATIONS: Migrations = {
  '001-version-1': { up: createVersion1 },
  '002-names-discord-standing-transfers': { up: addNamesDiscordStandingTransfers },
  '003-stars': { up: addStars },
  '004-stored-facts': { up: storeFacts },
};

/** The commit of the last version with the migrations below; it brings their databases to the schema of 1.0.0. */
export const LAST_BEFORE_1_0 = '091c205';

/** The migrations of development before 1.0.0, in order. After all of them the schema is the one that `001-version-1` creates. */
export const BEFORE_1_0: readonly string[] = [
  '001-initial',
  '002-guild-undo-epoch',
  '003-names-addresses',
  '004-kept-counts',
  '005-served-reads',
  '006-archive',
  '007-jobs',
  '008-typed-log',
  '009-waits',
  '010-endings',
  '011-outbox',
  '012-push',
  '013-calendar',
  '014-wait-ends',
  '015-undo-records',
  '016-roles',
  '017-event-templates',
  '018-quiet-hours',
  '019-late-news',
  '020-heartbeats-and-servers',
  '021-operation-records',
  '022-sign-in-guards',
  '023-waitlist-bulk-news',
];
