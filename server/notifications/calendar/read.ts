import { CALENDAR_DAYS } from '../../../shared/calendar-days.ts';
import { DomainError } from '../../../shared/errors.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import { hashToken } from '../../auth/hash-token.ts';
import { serverSaveClock, serverSaveToday } from '../../board/config/clock.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import { onBehalfOf } from '../../db/write-queue.ts';
import { type Advanced, advance } from './advance.ts';
import { TOKEN_SHAPE } from './operations.ts';
import { calendarOf, type FoundCalendar, standingOn } from './queries.ts';
import { readShown, type ShownEvent } from './shown.ts';

type Reader = Pick<Context, 'db' | 'env' | 'now' | 'writes'>;

/** A calendar, and what it says. */
export interface ReadCalendar extends Pick<FoundCalendar, 'character_name' | 'language' | 'uid'> {
  events: ShownEvent[];
}

/**
 * What a calendar says now. Where that is not what it said last it is stored first, so that the next change, and whatever goes,
 * can be told by it, whichever server is asked; nothing else of the guild's is written, and no clock moves.
 * @throws DomainError calendar.notFound, for whoever may no longer have one, too
 */
export async function readCalendar(ctx: Reader, token: string): Promise<ReadCalendar> {
  if (!TOKEN_SHAPE.test(token)) throw new DomainError('calendar.notFound');
  const calendar = await calendarOf(ctx.db, hashToken(token));
  if (!calendar) throw new DomainError('calendar.notFound');
  const { character_name, language, uid } = calendar;
  const { events, hasChanged } = await look(ctx, ctx.db, calendar, 0);
  if (!hasChanged) return { character_name, language, uid, events };
  const asker = { name: `key ${calendar.access_key_id}`, gone: () => false };
  return { character_name, language, uid, events: await onBehalfOf(asker, () => say(ctx, calendar)) };
}

async function look(
  ctx: Reader,
  db: Db | Tx,
  { character_key, shown }: Pick<FoundCalendar, 'character_key' | 'shown'>,
  sequence: number,
): Promise<Advanced> {
  const today = serverSaveToday(ctx);
  const dates = { from: addDays(today, -CALENDAR_DAYS.past), to: addDays(today, CALENDAR_DAYS.ahead) };
  const standing = await standingOn(db, character_key, dates, serverSaveClock(ctx));
  return advance(readShown(shown), standing, { ...dates, at: ctx.now().toISOString(), sequence });
}

/** Looks again with its row locked: of two who look at once, neither must tell what is older as what is newer. */
function say(ctx: Reader, { character_key, token_hash }: FoundCalendar): Promise<ShownEvent[]> {
  return ctx.writes.transaction(async (tx) => {
    const locked = await tx
      .updateTable('calendars')
      .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
      .where('character_key', '=', character_key)
      .where('token_hash', '=', token_hash)
      .returning(['revision', 'shown'])
      .executeTakeFirst();
    if (!locked) throw new DomainError('calendar.notFound');
    const { events } = await look(ctx, tx, { character_key, shown: locked.shown }, locked.revision);
    const shown = JSON.stringify(events);
    await tx.updateTable('calendars').set({ shown }).where('character_key', '=', character_key).execute();
    // As it is read the next time, to the last sign: that it is unchanged is told by it.
    return readShown(shown);
  });
}
