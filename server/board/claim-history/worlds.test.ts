import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDING_REASONS } from '../../../shared/schemas/ending.ts';
import { sized } from '../../dev/test/scope.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { type Command, command } from './test/command.ts';
import { startPlay, WORLDS_SEED } from './test/ledger-play.ts';

const WORLDS = [
  ['SQLite', 'sqlite', sized(10, 24)],
  ['PostgreSQL', 'postgres', 10],
] as const;
const COMMANDS = 60;

const event = fc.constantFrom(
  null,
  null,
  'multiple_claims' as const,
  'multiple_claims' as const,
  'single_claim' as const,
);

describe('R9.20 to R9.26: any sequence of commands and time', () => {
  it.each(WORLDS)(
    "on %s, each hour ever claimed still exists or has one end reason; an undo removes its deletion's",
    async (_, dialect, worlds) => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          event,
          fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS }),
          async (type, commands: Command[]) => {
            const app = await createTestApp(dialect);
            const { play } = await startPlay(app, type);
            for (const one of commands) await play.play(one);
            await play.compare('all deeds');
            for (const line of play.ledger.endings) seen.add(line.split(' ')[3] ?? '');
          },
        ),
        { seed: WORLDS_SEED, numRuns: worlds, endOnFailure: true },
      );
      // The generated cases are not trivial.
      // No spot is deleted here, and no claim transferred; few offers are withdrawn or void.
      expect(seen.size).toBeGreaterThan(ENDING_REASONS.length - 5);
    },
    600_000,
  );
});
