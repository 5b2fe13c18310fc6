import path from 'node:path';
import { z } from 'zod';
import { startProgram } from '../program.ts';
import type { Job } from './jobs.ts';

export interface Load {
  run: <Asked, Answer>(job: Job<Asked, Answer>, input: Asked) => Promise<Answer>;
  stop: () => Promise<void>;
}

/** Longer than any task takes, in milliseconds: report one that hangs. */
const PATIENCE_MS = 240_000;

const replySchema = z.union([z.object({ error: z.string() }), z.object({ answer: z.unknown() })]);

export async function startLoad(): Promise<Load> {
  const program = await startProgram({ args: [path.join(import.meta.dirname, 'index.ts')] });
  return {
    stop: program.stop,
    run: async ({ name, answer }, input) => {
      let patience: NodeJS.Timeout | undefined;
      const tooLate = new Promise<never>((_, reject) => {
        patience = setTimeout(
          () => reject(new Error(`${name}: no end after ${PATIENCE_MS / 1000} s`)),
          PATIENCE_MS,
        );
      });
      const reply = replySchema.parse(
        await Promise.race([program.ask({ job: name, input }), tooLate]).finally(() =>
          clearTimeout(patience),
        ),
      );
      if ('error' in reply) throw new Error(`${name}: ${reply.error}`);
      return answer.parse(reply.answer);
    },
  };
}
