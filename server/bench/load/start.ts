import path from 'node:path';
import { z } from 'zod';
import { startProgram } from '../program.ts';
import type { Job } from './jobs.ts';

export interface Load {
  run: <Asked, Answer>(job: Job<Asked, Answer>, asked: Asked) => Promise<Answer>;
  stop: () => Promise<void>;
}

const told = z.union([z.object({ error: z.string() }), z.object({ answer: z.unknown() })]);

export async function startLoad(): Promise<Load> {
  const program = await startProgram({ args: [path.join(import.meta.dirname, 'index.ts')] });
  return {
    stop: program.stop,
    run: async ({ name, answer }, asked) => {
      const said = told.parse(await program.ask({ job: name, asked }));
      if ('error' in said) throw new Error(`${name}: ${said.error}`);
      return answer.parse(said.answer);
    },
  };
}
