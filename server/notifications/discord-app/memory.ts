import type { KeyObject } from 'node:crypto';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { Db } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import {
  createTries,
  createWrongTries,
  type Tries,
  type WrongTries,
} from '../../http/rate-limits.ts';
import { findApp, type StoredApp } from './app.ts';
import type { DiscordContext } from './context.ts';
import { WRONG_CODES, WRONG_CODES_WINDOW_MS } from './links.ts';
import { publicKeyOf } from './signature.ts';

/* One server's memory for interactions: Discord asks for suggestions at each keystroke. */

const WINDOW_MS = 10_000;
const MAX_USERS = 10_000;

export type KnownApp = Pick<
  StoredApp,
  'application_id' | 'guild_id' | 'saved_at' | 'first_interaction_at'
> & { key: KeyObject };

export interface DiscordMemory {
  /** The app, read once after each change of it; null: none was set up. */
  findApp: () => Promise<KnownApp | null>;
  forgetApp: () => void;
  /** The language that a user was last answered in. */
  languages: {
    get: (user_id: string) => Language | undefined;
    set: (user_id: string, language: Language) => void;
  };
  /** Commands and buttons, by user. */
  commands: Tries;
  /** Autocompletions, by user. */
  suggestions: Tries;
  wrongCodes: Pick<WrongTries, 'countFirst'>;
}

export const discordMemory = defineMemory(createDiscordMemory);

function createDiscordMemory({ db, writes, bus, now, hashAddress }: DiscordContext): DiscordMemory {
  let app: Promise<KnownApp | null> | null = null;
  const forgetApp = (): void => {
    app = null;
  };
  // Saving and removing the app put the configuration, on every server.
  bus.listen(({ changes }) => {
    if (
      changes.some(
        ({ change }) => change.op === 'reset' || ('kind' in change && change.kind === 'config'),
      )
    )
      forgetApp();
  });
  bus.onNewHistory(forgetApp);

  const languages = new Map<string, Language>();
  const tries = (): Tries =>
    createTries({ window_ms: WINDOW_MS, most: MAX_USERS, now: () => now().getTime() });
  return {
    findApp: () => {
      app ??= readApp(db).catch((error: unknown) => {
        forgetApp();
        throw error;
      });
      return app;
    },
    forgetApp,
    languages: {
      get: (user_id) => languages.get(user_id),
      set: (user_id, language) => {
        languages.delete(user_id);
        languages.set(user_id, language);
        const [oldest] = languages.keys();
        if (languages.size > MAX_USERS && oldest !== undefined) languages.delete(oldest);
      },
    },
    commands: tries(),
    suggestions: tries(),
    wrongCodes: createWrongTries({
      db,
      writes,
      now,
      hashAddress,
      limit: WRONG_CODES,
      window_ms: WRONG_CODES_WINDOW_MS,
    }),
  };
}

async function readApp(db: Db): Promise<KnownApp | null> {
  const found = await findApp(db);
  if (!found) return null;
  const { application_id, guild_id, saved_at, first_interaction_at, public_key } = found;
  return { application_id, guild_id, saved_at, first_interaction_at, key: publicKeyOf(public_key) };
}
