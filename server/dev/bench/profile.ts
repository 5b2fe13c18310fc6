import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { fillGuild } from './guild.ts';
import { submitTogetherJob } from './load/jobs.ts';
import { startLoad } from './load/start.ts';
import type { Submissions } from './load/submit.ts';
import type { Sizes } from './sizes.ts';
import { ROOT, startSubject } from './subject.ts';

const TOP = 10;
const GIT_OUTPUT = 512 * 1024 * 1024;

const profile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
type Profile = z.infer<typeof profile>;

/** One line of a profile: the self time of a function. */
export interface SelfTime {
  what: string;
  us: number;
}

/** Idle time and the cost of the profiler. */
const LEFT_OUT = /^\(idle\)$|node:inspector/;

/** Self times by function and file, the longest first. */
export function selfTimes({ nodes, samples, timeDeltas }: Profile, root: string): SelfTime[] {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const callerOf = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const nameOf = (id: number): string => {
    const { functionName, url } = nodeOf.get(id)?.callFrame ?? { functionName: '', url: '' };
    const caller = callerOf.get(id);
    // Native code, such as a commit, has no name.
    if (!functionName && !url && caller !== undefined)
      return `native code called by ${nameOf(caller)}`;
    return url ? `${functionName || '(anonymous)'}, ${placeOf(url, root)}` : functionName;
  };
  const times = new Map<string, number>();
  for (const [at, id] of samples.entries()) {
    const what = nameOf(id);
    if (!LEFT_OUT.test(what)) times.set(what, (times.get(what) ?? 0) + (timeDeltas[at] ?? 0));
  }
  return [...times].map(([what, us]) => ({ what, us })).sort((a, b) => b.us - a.us);
}

const placeOf = (url: string, root: string): string =>
  /node_modules\/(.+)$/.exec(url)?.[1] ?? url.replace('file://', '').replace(`${root}/`, '');

/**
 * Prints where the server spends its time while 20 clients submit.
 * @param commit another version, run with the packages installed here; undefined: this one
 */
export async function profileSubmissions(
  sizes: Sizes,
  commit: string | undefined,
  say: (line: string) => void,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-bench-'));
  const load = await startLoad();
  try {
    const root = commit === undefined ? ROOT : await unpack(commit, path.join(folder, 'version'));
    const data_dir = path.join(folder, 'data');
    const guild = await fillGuild(root, data_dir, { history: sizes.few, board: sizes.board });
    const subject = await startSubject({ root, data_dir });
    const { today, spots } = guild;
    const submissions: Omit<Submissions, 'from'> = {
      url: subject.url,
      guild: { today, spots },
      lane: 'event',
    };
    const submit = (from: number) =>
      load.run(submitTogetherJob, { ...submissions, from, seconds: sizes.seconds });
    // Warm-up: V8 optimizes hot functions.
    const warm = await submit(0);
    await subject.ask('profile');
    const { next } = await submit(warm.next);
    const times = selfTimes(profile.parse(await subject.ask('profiled')), root);
    await subject.stop();
    const count = next - warm.next;
    const all = times.reduce((sum, { us }) => sum + us, 0);
    say(
      `${commit ?? 'this version'}: ${count} submissions, ${Math.round(all / count)} µs of the server each\n`,
    );
    say('| µs each | share | function |\n| --- | --- | --- |');
    for (const { what, us } of times.slice(0, TOP))
      say(`| ${Math.round(us / count)} | ${((100 * us) / all).toFixed(1)} % | ${what} |`);
  } finally {
    await load.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Unpacks another version's sources beside the packages installed here. @returns the folder */
async function unpack(commit: string, folder: string): Promise<string> {
  const run = promisify(execFile);
  const archive = path.join(path.dirname(folder), 'version.tar');
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('git', ['-C', ROOT, 'archive', commit], {
    encoding: 'buffer',
    maxBuffer: GIT_OUTPUT,
  });
  await writeFile(archive, stdout);
  await run('tar', ['-xf', archive, '-C', folder]);
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
  return folder;
}
