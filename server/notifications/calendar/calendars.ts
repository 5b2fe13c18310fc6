import { randomBytes } from 'node:crypto';
import { CALENDAR_DAYS } from '../../../shared/calendar-days.ts';
import { TOKEN_BYTES } from '../../../shared/credentials.ts';
import { DomainError, existing } from '../../../shared/errors.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { CalendarLanguage, CalendarState } from '../../../shared/schemas/calendar.ts';
import { hashToken, memberOfKey } from '../../auth/sessions.ts';
import { serverSaveClock, serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Db, Reading, Tx } from '../../db/database.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { onBehalfOf } from '../../db/write-queue.ts';
import type { Member } from '../../http/caller.ts';
import { advance, type CalendarEvent, type Changed, findParts, readEvents } from './events.ts';

/** Tokens of another shape are not looked up in the database. */
const TOKEN_SHAPE = /^[\w-]{43}$/;

/**
 * Creates a member's calendar, or replaces its address. The clock does not advance: no watcher sees calendars.
 * @returns the token, of which only a hash is stored
 * @throws DomainError session.invalidKey, session.keyRevoked, session.banned
 */
export function createCalendar(
  { now, writes }: Writing,
  access_key: string,
  language: CalendarLanguage,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const row = {
    token_hash: hashToken(token),
    language,
    made_at: now().toISOString(),
    shown_events: '[]',
  };
  return writes.transaction(async (tx) => {
    const { character_key, access_key_id } = await memberOfKey(tx, access_key);
    await tx
      .insertInto('calendars')
      .values({ ...row, character_key, access_key_id, uid: randomBytes(8).toString('hex') })
      // Its revision continues: readers ignore an event with a lower SEQUENCE than before.
      .onConflict((on) => on.column('character_key').doUpdateSet({ ...row, access_key_id }))
      .execute();
    return token;
  });
}

/**
 * Revokes the address of a member's calendar, if there is one.
 * @throws DomainError session.invalidKey, session.keyRevoked, session.banned
 */
export function revokeCalendar({ writes }: Writing, access_key: string): Promise<void> {
  return writes.transaction(async (tx) => {
    const { character_key } = await memberOfKey(tx, access_key);
    await tx
      .updateTable('calendars')
      .set({ token_hash: null, shown_events: '[]' })
      .where('character_key', '=', character_key)
      .execute();
  });
}

/** A calendar that was created with another key of the character does not count. */
export async function calendarState(
  db: Db,
  { character_key, access_key_id }: Member,
): Promise<CalendarState> {
  const found = await db
    .selectFrom('calendars')
    .select('made_at')
    .where('character_key', '=', character_key)
    .where('access_key_id', '=', access_key_id)
    .where('token_hash', 'is not', null)
    .executeTakeFirst();
  return { exists: found !== undefined, made_at: found?.made_at ?? null };
}

interface StoredCalendar {
  character_key: string;
  character_name: string;
  access_key_id: number;
  token_hash: string;
  language: string;
  uid: string;
  shown_events: string;
}

/** Only if its key is not revoked and its character is not banned. */
async function findCalendar(db: Db | Tx, token_hash: string): Promise<StoredCalendar | null> {
  const found = await db
    .selectFrom('calendars')
    .innerJoin('access_keys', 'access_keys.id', 'calendars.access_key_id')
    .select([
      'calendars.character_key',
      'character_name',
      'access_key_id',
      'language',
      'uid',
      'shown_events',
    ])
    .where('token_hash', '=', token_hash)
    .where('is_revoked', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bans')
            .select('bans.character_key')
            .whereRef('bans.character_key', '=', 'calendars.character_key'),
        ),
      ),
    )
    .executeTakeFirst();
  return found ? { ...found, token_hash } : null;
}

export interface Calendar extends Pick<StoredCalendar, 'character_name' | 'language' | 'uid'> {
  events: CalendarEvent[];
}

/**
 * The calendar's events. If they changed since the last reading, they are stored first, so that every server compares the next
 * reading with them. The clock does not advance.
 * @throws DomainError calendar.notFound, also for a member who may no longer have one
 */
export async function readCalendar(ctx: Writing, token: string): Promise<Calendar> {
  if (!TOKEN_SHAPE.test(token)) throw new DomainError('calendar.notFound');
  const calendar = existing(await findCalendar(ctx.db, hashToken(token)), 'calendar.notFound');
  const { character_name, language, uid } = calendar;
  const { events, hasChanged } = await compare(ctx, ctx.db, { ...calendar, sequence: 0 });
  if (!hasChanged) return { character_name, language, uid, events };
  const caller = { name: `key ${calendar.access_key_id}`, gone: () => false };
  return {
    character_name,
    language,
    uid,
    events: await onBehalfOf(caller, () => storeEvents(ctx, calendar)),
  };
}

/** A calendar as it was last read, and the sequence of events that changed since. */
interface ReadAt extends Pick<StoredCalendar, 'character_key' | 'shown_events'> {
  sequence: number;
}

async function compare(
  ctx: Reading,
  db: Db | Tx,
  { character_key, shown_events, sequence }: ReadAt,
): Promise<Changed> {
  const today = serverSaveToday(ctx);
  const dates = {
    from: addDays(today, -CALENDAR_DAYS.past),
    to: addDays(today, CALENDAR_DAYS.ahead),
  };
  const parts = await findParts(db, { ...dates, character_key, clock: serverSaveClock(ctx) });
  return advance(readEvents(shown_events), parts, {
    ...dates,
    at: ctx.now().toISOString(),
    sequence,
  });
}

/** Compares again with the row locked: of two readers at once, neither may store older events as newer ones. */
function storeEvents(
  ctx: Writing,
  { character_key, token_hash }: StoredCalendar,
): Promise<CalendarEvent[]> {
  return ctx.writes.transaction(async (tx) => {
    const locked = tx
      .updateTable('calendars')
      .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
      .where('character_key', '=', character_key)
      .where('token_hash', '=', token_hash)
      .returning(['revision', 'shown_events']);
    const { revision: sequence, shown_events: last } = existing(
      await locked.executeTakeFirst(),
      'calendar.notFound',
    );
    const { events } = await compare(ctx, tx, { character_key, shown_events: last, sequence });
    const shown_events = JSON.stringify(events);
    await tx
      .updateTable('calendars')
      .set({ shown_events })
      .where('character_key', '=', character_key)
      .execute();
    // Exactly as the next reader gets them: the ETag is a hash of them.
    return readEvents(shown_events);
  });
}
