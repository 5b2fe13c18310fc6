import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PUBLIC_EVENT_TYPES } from '../../shared/schemas/domain-events.ts';
import { type Command, command } from '../board/claim-history/test/command.ts';
import { startPlay, WORLDS_SEED } from '../board/claim-history/test/ledger-play.ts';
import { aDestination } from '../dev/test/builders.ts';
import { expectSame } from '../dev/test/expect-same.ts';
import { sized } from '../dev/test/scope.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { foldEvents, type Hunt, huntsIn, toldIn } from './test/fold.ts';

const WORLDS = [
  ['SQLite', 'sqlite', sized(4, 16)],
  ['PostgreSQL', 'postgres', sized(3, 6)],
] as const;
const COMMANDS = 50;

const event = fc.constantFrom(
  null,
  null,
  'multiple_claims' as const,
  'multiple_claims' as const,
  'single_claim' as const,
);

describe('domain events of claims, for any sequence of commands and time', () => {
  it.each(WORLDS)(
    'on %s, makes of an empty board the very claims that there are',
    async (_, dialect, worlds) => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          event,
          fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS }),
          async (type, commands: Command[]) => {
            const app = await createTestApp(dialect);
            const { play } = await startPlay(app, type);
            await aDestination(app, { events: [...PUBLIC_EVENT_TYPES] });
            let hunts = new Map<number, Hunt>();
            let position = 0;
            for (const one of commands) {
              await play.play(one);
              const at = `after ${JSON.stringify(one)}`;
              const events = (await toldIn(app)).slice(position);
              const there = await huntsIn(app);
              position += events.length;
              const bulk = events.flatMap(({ type, data }) =>
                type === 'claims.changed' ? [data] : [],
              );
              // Bulk work is one event with the right counts; its receiver reads the claims again.
              expect(bulk.length, at).toBeLessThanOrEqual(1);
              const moved = bulk.reduce(
                (sum, { created, deleted }) => sum + created - deleted,
                hunts.size,
              );
              if (bulk.length > 0) expect(there.size, at).toBe(moved);
              hunts = bulk.length > 0 ? there : foldEvents(events, hunts);
              expectSame(hunts, there, at);
            }
            await play.compare('all deeds');
            for (const { type, data } of await toldIn(app))
              seen.add('reason' in data ? `${type} ${data.reason}` : type);
          },
        ),
        { seed: WORLDS_SEED, numRuns: worlds, endOnFailure: true },
      );
      // The generated cases are not trivial.
      expect(seen.size).toBeGreaterThan(6);
    },
    600_000,
  );
});
