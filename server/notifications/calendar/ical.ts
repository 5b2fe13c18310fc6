import { ICalCalendar, ICalCalendarMethod, type ICalEventData, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { sentencesIn } from '../../http/errors.ts';
import type { Calendar } from './calendars.ts';
import type { CalendarEvent } from './events.ts';

/** The refresh interval that the file asks for, in seconds; most programs ignore it. */
const REFRESH_S = 3_600;

/** Everything that the file depends on: its ETag is a hash of this. */
export interface CalendarFile extends Calendar {
  /** PUBLIC_URL */
  origin: string | null;
  guild_name: string | null;
}

/** The file as RFC 5545 says. Equal calendars give equal files. */
export function calendarFile({ character_name, language, uid, events, origin, guild_name }: CalendarFile): string {
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
    transparency: event.is_cancelled || event.is_secondary ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    summary: event.is_secondary ? t('calendar.file.secondary', { spot: event.respawn_name }) : event.respawn_name,
    description: t('calendar.file.event', {
      character: character_name,
      guild,
      hours: t('time.range', { start: event.hour_start, end: event.hour_end }),
    }),
    location: event.respawn_name,
    ...(origin !== null && { url: `${origin}/?date=${event.date}&claim=${event.claim_id}` }),
  });
  return new ICalCalendar({
    prodId: { company: 'claimboard', product: 'claimboard', language: language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    name: t('calendar.file.name', { character: character_name, guild }),
    description: t('calendar.file.about', { character: character_name, guild }),
    ttl: REFRESH_S,
    events: events.map(eventOf),
  }).toString();
}

function statusOf({ is_cancelled, is_secondary }: CalendarEvent): ICalEventStatus {
  if (is_cancelled) return ICalEventStatus.CANCELLED;
  return is_secondary ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}
