import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withPart } from '../check/marked-part.mjs';
import { ROOT } from './subject.ts';

/** The machine's load before the bench adds to it: figures of a busy machine mean little. */
export const busyBefore = (): number => loadavg()[0] ?? 0;

/** Commit, date, runtime and machine of a run. */
export async function machine(took_ms: number, busy: number): Promise<string> {
  const commit = await promisify(execFile)('git', [
    '-C',
    ROOT,
    'rev-parse',
    '--short',
    'HEAD',
  ]).then(
    ({ stdout }) => `commit ${stdout.trim()}, `,
    () => '',
  );
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
  return `${commit}${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cores}, load ${busy.toFixed(1)} before it, measured in ${Math.round(took_ms / 1000)} s`;
}

/** Replaces the figures in `server/dev/README.md`. @throws Error if it has no place for them */
export async function updateReadme(figures: string): Promise<void> {
  const file = path.join(ROOT, 'server/dev/README.md');
  await writeFile(file, withPart(await readFile(file, 'utf8'), 'bench', figures));
}
