import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admin } from '../../activity/test/write.ts';
import { command } from '../../board/claim-history/test/command.ts';
import { startPlay, WORLDS_SEED } from '../../board/claim-history/test/ledger-play.ts';
import { expectSame } from '../../dev/test/expect-same.ts';
import { sized } from '../../dev/test/scope.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { aCalendar, type CalendarEntry, calendarEntries } from './test/calendar.ts';

const WORLDS = [
  ['SQLite', 'sqlite', sized(4, 16)],
  ['PostgreSQL', 'postgres', sized(1, 6)],
] as const;
const COMMANDS = 50;

const event = fc.constantFrom(null, 'multiple_claims' as const, 'single_claim' as const);
const step = fc.record({
  command,
  /** Whose calendars are read after it, by the bits. */
  read: fc.nat(31),
  also: fc.option(
    fc.record({ spot: fc.integer({ min: 1, max: 4 }), period: fc.nat(3), name: fc.nat(999) }),
    { freq: 8 },
  ),
});

/** The save is at 1:00 Pacific time, in a month without daylight saving. */
const instant = (date: string, hour: number): string =>
  new Date(Date.parse(`${date}T09:00:00Z`) + hour * 3_600_000).toISOString();

/** The expected entries of all claims by character, computed independently of the calendar. */
async function stored({ ctx: { db } }: TestApp): Promise<Map<string, string[]>> {
  const parts = await db
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .innerJoin('respawns', 'respawns.id', 'respawn_id')
    .select([
      'character_name',
      'date',
      'event_id',
      'hour_start',
      'hour_end',
      'respawns.name',
      'is_secondary_claim',
    ])
    .where('held_until', 'is', null)
    .execute();
  const events = await db.selectFrom('events').select(['id', 'start_time', 'end_time']).execute();
  const dates = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'];
  const isOn = (event_id: number | null, date: string) =>
    events.some(
      ({ id, start_time, end_time }) =>
        id === event_id && start_time.slice(0, 10) <= date && date <= end_time.slice(0, 10),
    );
  const isOnDate = ({ date, event_id }: (typeof parts)[number], each: string) =>
    date === null ? isOn(event_id, each) : each === date;
  const inWords = (part: (typeof parts)[number], each: string): string => {
    const status = part.is_secondary_claim ? 'TENTATIVE' : 'CONFIRMED';
    const hours = `${instant(each, part.hour_start)} ${instant(each, part.hour_end)}`;
    return `${status} ${hours} ${part.name}${part.is_secondary_claim ? ' (secondary claim)' : ''}`;
  };
  const of = Map.groupBy(parts, ({ character_name }) => character_name);
  return new Map(
    [...of].map(([name, its]) => [
      name,
      its
        .flatMap((part) =>
          dates.filter((each) => isOnDate(part, each)).map((each) => inWords(part, each)),
        )
        .sort(),
    ]),
  );
}

const line = ({ status, start, end, summary }: CalendarEntry): string =>
  `${status} ${start} ${end} ${summary}`;

/** A client that compares each version of a calendar with the one before. */
class Listener {
  readonly #entries = new Map<string, CalendarEntry>();
  cancelled = 0;

  receive(events: readonly CalendarEntry[], expected: readonly string[]): void {
    const now = new Map(events.map((event) => [event.uid, event]));
    expect(now.size, 'a name for each').toBe(events.length);
    const entries = events.filter(({ status }) => status !== 'CANCELLED');
    expectSame(entries.map(line).sort(), expected, 'what stands');
    for (const [uid, before] of this.#entries) {
      const after = now.get(uid);
      if (!after) expect.fail(`${uid} was shown and is gone without a word`);
      const was = line(before);
      const is = line(after);
      const isRight =
        was === is ? after.sequence === before.sequence : after.sequence > before.sequence;
      if (!isRight)
        expect.fail(`${was}, number ${before.sequence}, became ${is}, number ${after.sequence}`);
    }
    for (const [uid, event] of now) this.#entries.set(uid, event);
    this.cancelled += events.filter(({ status }) => status === 'CANCELLED').length;
  }
}

describe('any sequence of commands and time', () => {
  it.each(WORLDS)(
    'on %s, a calendar lists the current claims, its sequence numbers rise with each change, and removed entries are cancelled',
    async (_, dialect, worlds) => {
      let cancelled = 0;
      await fc.assert(
        fc.asyncProperty(
          event,
          fc.array(step, { minLength: COMMANDS, maxLength: COMMANDS }),
          async (type, steps) => {
            const app = await createTestApp(dialect);
            const { play, keys, event_id } = await startPlay(app, type);
            const members = [];
            for (const key of keys)
              members.push({ key, path: await aCalendar(app, key), listener: new Listener() });
            for (const { command, read, also } of steps) {
              await play.play(command);
              if (also) {
                const first = 20 + (also.period % 2);
                const last = 22 + (also.period >> 1);
                const period = {
                  start_time: `2026-11-${first}T10:00`,
                  end_time: `2026-11-${last}T23:00`,
                };
                const renamed = await admin(app, `put /admin/respawns/${also.spot}`, {
                  name: `Renamed ${also.name}`,
                });
                const moved =
                  type === 'single_claim' && (await admin(app, `put /events/${event_id}`, period));
                // As every write does, of which the ledger knows nothing here.
                if (renamed.status === 200 || (moved && moved.status === 200))
                  play.ledger.expire(app.ctx.now().getTime());
              }
              const storedClaims = read > 0 ? await stored(app) : null;
              for (const [nth, { key, path, listener }] of members.entries())
                if (read & (1 << nth))
                  listener.receive(
                    await calendarEntries(app, path),
                    storedClaims?.get(key.character_name) ?? [],
                  );
            }
            await play.compare('all commands');
            cancelled += members.reduce((sum, { listener }) => sum + listener.cancelled, 0);
          },
        ),
        { seed: WORLDS_SEED, numRuns: worlds, endOnFailure: true },
      );
      // The generated cases are not trivial.
      expect(cancelled).toBeGreaterThan(worlds);
    },
    600_000,
  );
});
