import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Program, startProgram } from './program.ts';

export const ADMIN_PASSWORD = 'bench-password';
/** Of the version that the bench is part of. */
export const ROOT = path.resolve(import.meta.dirname, '../../..');
export const STALL_WATCH = path.join(import.meta.dirname, 'stall-watch.ts');

export interface Subject extends Program {
  /** For how long `work` held the server's event loop at most, in milliseconds. */
  longestStall: (work: () => Promise<unknown>) => Promise<number>;
}

export interface SubjectOptions {
  data_dir: string;
  /** Of the program, which may be another version's. */
  root?: string;
  /** For Node itself. */
  node_args?: readonly string[];
  /** Without what watches the event loop, it starts as users start it. */
  watch?: boolean;
}

const told = z.object({ longest_ms: z.number() });

/** Starts the program itself, as `npm start` does, on a data folder. */
export async function startSubject({ data_dir, root = ROOT, node_args = [], watch = true }: SubjectOptions): Promise<Subject> {
  const program = await startProgram({
    args: [...node_args, ...(watch ? ['--import', STALL_WATCH] : []), entryOf(root)],
    env: {
      DATA_DIR: data_dir,
      ADMIN_PASSWORD,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      CHARACTER_CHECK: 'manual',
      BACKUP_HOURS: '0',
      // Receivers of the bench are on this machine.
      ALLOW_PRIVATE_DESTINATIONS: '1',
    },
    cwd: root,
  });
  return watched(program);
}

/** The entry file, which older versions named differently. */
function entryOf(root: string): string {
  const [main, ...older] = ['main.ts', 'index.mjs', 'index.ts'].map((file) => path.join(root, 'server', file));
  return older.find((file) => existsSync(file)) ?? main ?? '';
}

/** A program that was started with `STALL_WATCH` before it. */
export const watched = (program: Program): Subject => ({
  ...program,
  longestStall: async (work) => {
    await program.ask('begin');
    await work();
    return told.parse(await program.ask('end')).longest_ms;
  },
});
