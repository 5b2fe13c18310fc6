import { ICalCalendar, ICalCalendarMethod, type ICalEventData, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { sentencesIn } from '../../http/sentences.ts';
import type { ReadCalendar } from './read.ts';
import type { ShownEvent } from './shown.ts';

/** How often programs are asked to come back, in seconds; most come when they like. */
const COME_BACK_S = 3_600;

/** A calendar and all that else its file depends on. */
export interface CalendarFile extends ReadCalendar {
  /** Where members open the board; null where the settings do not say. */
  origin: string | null;
  guild_name: string | null;
}

/** A calendar as RFC 5545 writes it down. The same again for the same calendar: a reader asks whether it is. */
export function calendarFile({ character_name, language, uid, events, origin, guild_name }: CalendarFile): string {
  const t = sentencesIn(language);
  const guild = guild_name ?? t('calendar.file.guild');
  const inWords = (event: ShownEvent): ICalEventData => ({
    id: `${event.claim_id}-${event.date}-${event.slot}@${uid}.claimboard`,
    sequence: event.sequence,
    stamp: event.changed_at,
    lastModified: event.changed_at,
    start: event.starts_at,
    // An hour that daylight saving skips has no length, and must not be said to have one.
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
    ttl: COME_BACK_S,
    events: events.map(inWords),
  }).toString();
}

function statusOf({ is_cancelled, is_secondary }: ShownEvent): ICalEventStatus {
  if (is_cancelled) return ICalEventStatus.CANCELLED;
  return is_secondary ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}
