import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { DomainError } from '../../../shared/errors.ts';
import { calendarActor, calendarAddress, calendarInput, calendarState } from '../../../shared/schemas/calendar.ts';
import { readConfig } from '../../board/records/config.ts';
import type { Context } from '../../context.ts';
import { REVALIDATE } from '../../http/etag.ts';
import { noAnswer, type Route, route } from '../../http/route.ts';
import { countWrongToken } from '../../http/throttle.ts';
import { makeCalendar, revokeCalendar, stateOfCalendar } from './operations.ts';
import { readCalendar } from './read.ts';

export const calendarRoutes: Route[] = [
  route(
    {
      method: 'get',
      path: '/calendar',
      access: 'reader',
      summary: 'Whether a member has a calendar of the own claims, never its address; whoever has no character has none',
      answer: calendarState,
    },
    async ({ ctx, caller }) => (caller.role === 'member' ? stateOfCalendar(ctx.db, caller) : { exists: false, made_at: null }),
  ),
  route(
    {
      method: 'post',
      path: '/calendar',
      access: 'member',
      summary:
        "Make the member's calendar, or give it another address, shown only now: whoever knows it reads the calendar. Without PUBLIC_URL it is a path on the board's own host",
      body: calendarInput,
      answer: calendarAddress,
    },
    async ({ ctx, caller, body }) => {
      const token = await makeCalendar(ctx, caller.access_key, body.language);
      // Never from the Host header, which the client chooses.
      return { url: `${ctx.env.PUBLIC_URL ?? ''}/calendar/${token}.ics` };
    },
  ),
  route(
    {
      method: 'delete',
      path: '/calendar',
      access: 'member',
      summary: "Revoke the member's calendar: its address leads nowhere from now on; none to revoke is none, too",
      body: calendarActor,
      answer: noAnswer,
    },
    ({ ctx, caller }) => revokeCalendar(ctx, caller.access_key),
  ),
];

/** A calendar's file, for programs that know nothing but its address. */
export function serveCalendars(ctx: Context): RequestHandler<{ token: string }> {
  return async (req, res) => {
    const calendar = await readCalendar(ctx, req.params.token).catch(async (error: unknown) => {
      if (error instanceof DomainError && error.code === 'calendar.notFound') await countWrongToken(ctx, req);
      throw error;
    });
    const { guild_name } = await readConfig(ctx, ctx.db);
    const file = { ...calendar, guild_name, origin: ctx.env.PUBLIC_URL ?? null };
    // Of what it is made of: that nothing has changed is known without writing it down again.
    res.set({ 'Cache-Control': REVALIDATE, ETag: `"${hash('sha256', JSON.stringify(file), 'base64url')}"` });
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    // Loaded for the first that is written: few servers ever need it in their first minutes.
    const { calendarFile } = await import('./file.ts');
    res.type('text/calendar; charset=utf-8').send(calendarFile(file));
  };
}
