import path from 'node:path';
import { z } from 'zod';
import { type Program, startProgram } from './program.ts';

export const ADMIN_PASSWORD = 'bench-password';
/** The repository that this bench belongs to. */
export const ROOT = path.resolve(import.meta.dirname, '../../..');
export const STALL_WATCH = path.join(import.meta.dirname, 'stall-watch.ts');

export interface Subject extends Program {
  /** The longest time that `work` blocks the server's event loop, in milliseconds. */
  longestStall: (work: () => Promise<unknown>) => Promise<number>;
}

export interface SubjectOptions {
  data_dir: string;
  /** The repository to start; may be another version. */
  root?: string;
  /** Node's own options. */
  node_args?: readonly string[];
  /** Watch the event loop; false: start exactly as users do. */
  watch?: boolean;
}

const measured = z.object({ longest_ms: z.number() });

/** Starts the server on a data folder, as `npm start` does. */
export async function startSubject({
  data_dir,
  root = ROOT,
  node_args = [],
  watch = true,
}: SubjectOptions): Promise<Subject> {
  const program = await startProgram({
    args: [
      ...node_args,
      ...(watch ? ['--import', STALL_WATCH] : []),
      path.join(root, 'server/main.ts'),
    ],
    env: {
      DATA_DIR: data_dir,
      ADMIN_PASSWORD,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      CHARACTER_CHECK: 'manual',
      BACKUP_HOURS: '0',
      // The bench's webhook receivers run on this machine.
      ALLOW_PRIVATE_DESTINATIONS: '1',
      // Nothing listens there: no bench calls Discord.
      DISCORD_API_URL: 'http://127.0.0.1:9',
    },
    cwd: root,
  });
  return watched(program);
}

/** Adds `longestStall` to a program that was started with `STALL_WATCH`. */
export const watched = (program: Program): Subject => ({
  ...program,
  longestStall: async (work) => {
    await program.ask('begin');
    await work();
    return measured.parse(await program.ask('end')).longest_ms;
  },
});
