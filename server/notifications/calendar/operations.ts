import { randomBytes } from 'node:crypto';
import { TOKEN_BYTES } from '../../../shared/credentials.ts';
import type { CalendarLanguage, CalendarState } from '../../../shared/schemas/calendar.ts';
import type { Member } from '../../auth/callers.ts';
import { hashToken } from '../../auth/hash-token.ts';
import { memberOfKey } from '../../auth/queries.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/open.ts';

type Writes = Pick<Context, 'now' | 'writes'>;

/** What a token may be at all; a database need not be asked about anything else. */
export const TOKEN_SHAPE = /^[\w-]{43}$/;

/**
 * Makes a member's calendar, or gives it another address: the former one leads nowhere any more. No tick of the clock: no
 * board shows it, and it is nobody else's business.
 * @returns its token, which is told this once; a hash of it is stored
 * @throws DomainError session.invalidKey, session.keyRevoked, session.banned
 */
export function makeCalendar({ now, writes }: Writes, access_key: string, language: CalendarLanguage): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const row = { token_hash: hashToken(token), language, made_at: now().toISOString(), shown: '[]' };
  return writes.transaction(async (tx) => {
    const { character_key, access_key_id } = await memberOfKey(tx, access_key);
    await tx
      .insertInto('calendars')
      .values({ ...row, character_key, access_key_id, uid: randomBytes(8).toString('hex') })
      // Its revisions go on: an event that was shown before must not come again as an older one.
      .onConflict((on) => on.column('character_key').doUpdateSet({ ...row, access_key_id }))
      .execute();
    return token;
  });
}

/**
 * Lets a member's calendar lead nowhere; where there is none, none is left either.
 * @throws DomainError session.invalidKey, session.keyRevoked, session.banned
 */
export function revokeCalendar({ writes }: Writes, access_key: string): Promise<void> {
  return writes.transaction(async (tx) => {
    const { character_key } = await memberOfKey(tx, access_key);
    await tx.updateTable('calendars').set({ token_hash: null, shown: '[]' }).where('character_key', '=', character_key).execute();
  });
}

/** Whether a member has a calendar. One that was made with another key of the character leads nowhere. */
export async function stateOfCalendar(db: Db, { character_key, access_key_id }: Member): Promise<CalendarState> {
  const found = await db
    .selectFrom('calendars')
    .select('made_at')
    .where('character_key', '=', character_key)
    .where('access_key_id', '=', access_key_id)
    .where('token_hash', 'is not', null)
    .executeTakeFirst();
  return { exists: found !== undefined, made_at: found?.made_at ?? null };
}
