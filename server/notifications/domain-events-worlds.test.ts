import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEWS_TYPES } from '../../shared/schemas/news.ts';
import { admin } from '../activity/test/write.ts';
import { type Deed, deed } from '../board/claim-history/test/deed.ts';
import { LedgerPlay } from '../board/claim-history/test/ledger-play.ts';
import { aDestination, aKey, anActiveEvent } from '../dev/test/builders.ts';
import { expectSame } from '../dev/test/expect-same.ts';
import { createTestApp, NOW } from '../dev/test/test-app.ts';
import { foldNews, type Hunt, huntsIn, toldIn } from './test/fold.ts';

const WORLDS = [
  ['SQLite', 'sqlite', 16],
  ['PostgreSQL', 'postgres', 6],
] as const;
const DEEDS = 50;
const PERIOD = { start_time: '2026-11-21T10:00', end_time: '2026-11-22T23:00' };

// A failing run prints its seed; it is played again by putting it here.
const SEED = Number(process.env.WORLDS_SEED ?? 20261122);

const event = fc.constantFrom(null, null, 'multiple_claims' as const, 'multiple_claims' as const, 'single_claim' as const);

describe('news of claims, whatever members and admins do, and time', () => {
  it.each(WORLDS)(
    'on %s, makes of an empty board the very claims that there are',
    async (_, dialect, worlds) => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(event, fc.array(deed, { minLength: DEEDS, maxLength: DEEDS }), async (type, deeds: Deed[]) => {
          const app = await createTestApp(dialect);
          await admin(app, 'put', '/admin/config', { release_enabled: 1, confirm_enabled: 1 }).expect(200);
          await aDestination(app, { events: [...NEWS_TYPES] });
          const keys = [];
          for (let n = 0; n < 5; n += 1) keys.push(await aKey(app, `Hunter ${n}`, 'elite'));
          const active = type && (await anActiveEvent(app, { type, ...PERIOD }));
          const play = new LedgerPlay(app, keys, active && { id: active.id, is_whole: type === 'single_claim' }, NOW);
          play.ledger.is_confirming = true;
          let [hunts, heard]: [Map<number, Hunt>, number] = [new Map(), 0];
          for (const one of deeds) {
            await play.play(one);
            const at = `after ${JSON.stringify(one)}`;
            const [told, there] = [(await toldIn(app)).slice(heard), await huntsIn(app)];
            heard += told.length;
            const bulk = told.flatMap(({ type, data }) => (type === 'claims.changed' ? [data] : []));
            // Of bulk work there are one message and right counts; whoever hears it reads the claims anew.
            expect(bulk.length, at).toBeLessThanOrEqual(1);
            const moved = bulk.reduce((sum, { created, deleted }) => sum + created - deleted, hunts.size);
            if (bulk.length > 0) expect(there.size, at).toBe(moved);
            hunts = bulk.length > 0 ? there : foldNews(told, hunts);
            expectSame(hunts, there, at);
          }
          await play.compare('all deeds');
          for (const { type, data } of await toldIn(app)) seen.add('reason' in data ? `${type} ${data.reason}` : type);
        }),
        { seed: SEED, numRuns: worlds, endOnFailure: true },
      );
      // They are about something.
      expect(seen.size).toBeGreaterThan(6);
    },
    600_000,
  );
});
