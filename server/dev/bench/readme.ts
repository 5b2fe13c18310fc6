import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './subject.ts';

const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

/** The load of the machine before the bench adds to it. */
export const busyBefore = (): number => loadavg()[0] ?? 0;

/** The version, date and machine of the measurements. */
export async function machine(took_ms: number, busy: number): Promise<string> {
  const commit = await promisify(execFile)('git', ['-C', ROOT, 'rev-parse', '--short', 'HEAD']).then(
    ({ stdout }) => `commit ${stdout.trim()}, `,
    () => '',
  );
  const cores = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
  return `${commit}${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cores}, load ${busy.toFixed(1)} before it, measured in ${Math.round(took_ms / 1000)} s`;
}

/** Replaces the figures in the README. @throws Error if it has no place for them */
export async function intoReadme(figures: string): Promise<void> {
  const file = path.join(ROOT, 'README.md');
  await writeFile(file, withFigures(await readFile(file, 'utf8'), figures));
}

export function withFigures(readme: string, figures: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('the README has no place for the figures');
  return `${readme.slice(0, begin + BEGIN.length)}\n${figures}\n${readme.slice(end)}`;
}
