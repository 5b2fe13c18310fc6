import ICAL from 'ical.js';
import supertest from 'supertest';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { asMember } from '../../../dev/test/builders.ts';
import { expectSame } from '../../../dev/test/expect-same.ts';
import type { TestApp } from '../../../dev/test/test-app.ts';

/** An event as another program understands it. */
export interface CalendarEntry {
  uid: string;
  sequence: number;
  status: string;
  start: string;
  end: string;
  summary: string;
  description: string;
  url: string;
}

/** Makes a member's calendar. @returns the path of its address */
export async function aCalendar(
  app: TestApp,
  key: Pick<AccessKey, 'key_value'>,
  input: object = {},
): Promise<string> {
  const { body } = await app.api.post('/calendar').set(asMember(key)).send(input).expect(200);
  return new URL(body.data.url, app.url).pathname;
}

export const fetched = (
  app: Pick<TestApp, 'url'>,
  path: string,
  headers: Record<string, string> = {},
) => supertest(app.url).get(path).set(headers);

/** The calendar at a path, read by a parser that knows nothing of what wrote it. */
export async function calendarEntries(
  app: Pick<TestApp, 'url' | 'kept'>,
  path: string,
): Promise<CalendarEntry[]> {
  // Packing costs as much as all else that one answer does; how it is packed is no calendar's matter.
  const { status, headers, text } = await fetched(app, path, {
    'Accept-Encoding': 'identity',
  }).agent(app.kept);
  // Each `expect` of a request makes a stack, which the worlds would do thousands of times.
  expectSame(
    [status, headers['content-type']],
    [200, 'text/calendar; charset=utf-8'],
    `the answer: ${text}`,
  );
  return parsed(text).getAllSubcomponents('vevent').map(eventIn);
}

export const parsed = (text: string): ICAL.Component => new ICAL.Component(ICAL.parse(text));

export function eventIn(component: ICAL.Component): CalendarEntry {
  const entries = (name: string): string => String(component.getFirstPropertyValue(name) ?? '');
  const { uid, sequence, summary, description, startDate, endDate } = new ICAL.Event(component);
  if (startDate.zone !== ICAL.Timezone.utcTimezone) throw new Error('a time that is not UTC');
  const start = startDate.toJSDate().toISOString();
  const end = endDate.toJSDate().toISOString();
  return {
    uid,
    sequence,
    summary,
    description,
    start,
    end,
    status: entries('status'),
    url: entries('url'),
  };
}

/** The confirmed entries in short: `12:00 to 14:00 Spot`. */
export const confirmedEntries = (events: readonly CalendarEntry[]): string[] =>
  events
    .filter(({ status }) => status !== 'CANCELLED')
    .map(({ start, end, summary }) => `${start} ${end} ${summary}`);
