import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';
import {
  ICalCalendar,
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import { DomainError } from '../../../shared/errors.ts';
import {
  calendarActor,
  calendarAddress,
  calendarInput,
  calendarState as calendarStateShape,
} from '../../../shared/schemas/calendar.ts';
import type { Reading } from '../../db/database.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { addressOf } from '../../http/client-address.ts';
import { sentencesIn } from '../../http/errors.ts';
import { noAnswer, REVALIDATE, type RouterContext, routeFor } from '../../http/router.ts';
import {
  type Calendar,
  calendarState,
  createCalendar,
  readCalendar,
  revokeCalendar,
} from './calendars.ts';
import type { CalendarEvent } from './events.ts';

const route = routeFor<Writing>();

export const calendarRoutes = [
  route(
    {
      method: 'get',
      path: '/calendar',
      access: 'reader',
      summary: 'Check whether the member has a calendar; its address is never returned again',
      answer: calendarStateShape,
    },
    async ({ ctx, caller }) =>
      caller.role === 'member' ? calendarState(ctx.db, caller) : { exists: false, made_at: null },
  ),
  route(
    {
      method: 'post',
      path: '/calendar',
      access: 'member',
      summary:
        "Create the member's calendar, or replace its secret address, which is returned only here; a path if PUBLIC_URL is not set",
      body: calendarInput,
      answer: calendarAddress,
    },
    async ({ ctx, caller, body }) => {
      const token = await createCalendar(ctx, caller.access_key, body.language);
      // Not the Host header: the client chooses it.
      return { url: `${ctx.env.PUBLIC_URL ?? ''}/calendar/${token}.ics` };
    },
  ),
  route(
    {
      method: 'delete',
      path: '/calendar',
      access: 'member',
      summary: "Revoke the member's calendar; its address stops working",
      body: calendarActor,
      answer: noAnswer,
    },
    ({ ctx, caller }) => revokeCalendar(ctx, caller.access_key),
  ),
];

interface CalendarContext extends Writing {
  authenticator: RouterContext['authenticator'];
}

/** The calendar's file. Its address is the only credential. */
export function serveCalendars(ctx: CalendarContext): RequestHandler<{ token: string }> {
  return async (req, res) => {
    const calendar = await readCalendar(ctx, req.params.token).catch(async (error: unknown) => {
      if (error instanceof DomainError && error.code === 'calendar.notFound')
        await ctx.authenticator.countWrongToken(addressOf(req, ctx.env));
      throw error;
    });
    const file = {
      ...calendar,
      guild_name: await guildName(ctx),
      origin: ctx.env.PUBLIC_URL ?? null,
    };
    // Of its input, so that an unchanged file need not be written.
    res.set({
      'Cache-Control': REVALIDATE,
      ETag: `"${hash('sha256', JSON.stringify(file), 'base64url')}"`,
    });
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    res.type('text/calendar; charset=utf-8').send(calendarFile(file));
  };
}

/** As an admin set it, else as the environment says. */
async function guildName({ db, env }: Reading): Promise<string | null> {
  const { guild_name } = await db
    .selectFrom('config')
    .select('guild_name')
    .executeTakeFirstOrThrow();
  return (guild_name ?? env.GUILD_NAME) || null;
}

/** The refresh interval that the file asks for, in seconds; most programs ignore it. */
const REFRESH_S = 3_600;

/** Everything that the file depends on: its ETag is a hash of this. */
interface CalendarFile extends Calendar {
  /** PUBLIC_URL */
  origin: string | null;
  guild_name: string | null;
}

/** The file as RFC 5545 says. Equal calendars give equal files. */
function calendarFile({
  character_name,
  language,
  uid,
  events,
  origin,
  guild_name,
}: CalendarFile): string {
  const t = sentencesIn(language);
  const guild = guild_name ?? t('calendar.file.guild');
  const eventOf = (event: CalendarEvent): ICalEventData => ({
    id: `${event.claim_id}-${event.date}-${event.slot}@${uid}.claimboard`,
    sequence: event.sequence,
    stamp: event.changed_at,
    lastModified: event.changed_at,
    start: event.starts_at,
    // An hour that daylight saving skips has no length: without an end it stays valid.
    ...(event.ends_at > event.starts_at && { end: event.ends_at }),
    status: statusOf(event),
    transparency:
      event.is_cancelled || event.is_secondary
        ? ICalEventTransparency.TRANSPARENT
        : ICalEventTransparency.OPAQUE,
    summary: event.is_secondary
      ? t('calendar.file.secondary', { spot: event.respawn_name })
      : event.respawn_name,
    description: t('calendar.file.event', {
      character: character_name,
      guild,
      hours: t('time.range', { start: event.hour_start, end: event.hour_end }),
    }),
    location: event.respawn_name,
    ...(origin !== null && { url: `${origin}/?date=${event.date}&claim=${event.claim_id}` }),
  });
  const calendar = new ICalCalendar({
    prodId: { company: 'claimboard', product: 'claimboard', language: language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    name: t('calendar.file.name', { character: character_name, guild }),
    description: t('calendar.file.about', { character: character_name, guild }),
    ttl: REFRESH_S,
    events: events.map(eventOf),
  });
  // RFC 5545, 3.1: every line ends with CRLF; ical-generator leaves out the last one.
  return `${calendar.toString()}\r\n`;
}

function statusOf({ is_cancelled, is_secondary }: CalendarEvent): ICalEventStatus {
  if (is_cancelled) return ICalEventStatus.CANCELLED;
  return is_secondary ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}
