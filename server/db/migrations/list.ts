import type { Kysely } from 'kysely';
import { up as createVersion1 } from './001-version-1.ts';
import { up as renamePlainly } from './005-plain-names.ts';
import { up as nameEntries } from './006-activity-names.ts';
import { up as signInWithDiscord } from './007-discord-sign-in.ts';
import { up as addEveningSettings } from './008-missed-claims-online.ts';
import { up as keepBoards } from './009-board-messages.ts';
import { up as keepFacts } from './010-facts.ts';

interface OneMigration {
  up: (db: Kysely<unknown>, dialect: 'sqlite' | 'postgres') => Promise<void>;
}
/** By name, in order. */
export type Migrations = Readonly<Record<string, OneMigration>>;

/** In development this was a step of its own; the first migration now takes it, too. */
const taken: OneMigration = { up: async () => {} };

export const MIGRATIONS: Migrations = {
  '001-version-1': { up: createVersion1 },
  '002-names-discord-standing-transfers': taken,
  '003-stars': taken,
  '004-stored-facts': taken,
  '005-plain-names': { up: renamePlainly },
  '006-activity-names': { up: nameEntries },
  '007-discord-sign-in': { up: signInWithDiscord },
  '008-missed-claims-online': { up: addEveningSettings },
  '009-board-messages': { up: keepBoards },
  '010-facts': { up: keepFacts },
};

/** A database without it is from before that step, and lacks what the first migration creates today. */
export const LAST_STEP = '004-stored-facts';
/** The commit of the last version that takes those steps. */
export const LAST_WITH_STEPS = '1abc5ba';
