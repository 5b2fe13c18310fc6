import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { installTools } from '../../tools.ts';
import type { Proof, Tried } from '../proof.ts';
import { MUTATED } from './scope.ts';

const TOOLS = { '@stryker-mutator/core': '10.1.1', '@stryker-mutator/vitest-runner': '10.1.1' };

/** Killed mutants in a hundred that each file has at least. */
const LEAST_SCORE = 90;

/** https://stryker-mutator.io/docs/stryker-js/configuration */
const settings = (folder: string) => ({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'server/dev/prove/mutation/vitest.config.ts' },
  mutate: MUTATED,
  ignorePatterns: ['client', 'data', 'test-results'],
  // Stryker copies the project there. Vite would not transform the copy below node_modules.
  tempDirName: 'test-results/mutation',
  cleanTempDir: 'always',
  // It would rewrite tsconfig.json by TypeScript 5's API.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // Code that runs only when a module loads, such as tables: each such mutant would need all tests in a new process.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: path.join(folder, 'incremental.json'),
  concurrency: 1,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: path.join(folder, 'report.json') },
});

const position = z.object({ line: z.number(), column: z.number() });
const mutant = z.object({
  status: z.string(),
  mutatorName: z.string(),
  replacement: z.string().optional(),
  location: z.object({ start: position, end: position }),
});
type Mutant = z.infer<typeof mutant>;
const mutationReport = z.object({
  files: z.record(z.string(), z.object({ source: z.string(), mutants: z.array(mutant) })),
});

/** Stryker changes each condition, operator, text and block of the mutated files: their tests must notice. */
export const mutation: Proof = {
  summary:
    'changed conditions, operators and blocks of the rules and the unit of work, which tests must notice, by Stryker',
  unit: 'pass',
  long: 1,
  run: async ({ say }) => {
    // Its plugin finds the project's Vitest from there.
    const folder = await installTools('mutation', TOOLS, say, { withPeers: false });
    const file = path.join(folder, 'settings.json');
    await writeFile(file, JSON.stringify(settings(folder)));
    await run(process.execPath, [
      path.join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
      'run',
      file,
    ]);
    const { files } = mutationReport.parse(
      JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8')),
    );
    const all = Object.entries(files).filter(([, { mutants }]) =>
      mutants.some(({ status }) => isCounted(status)),
    );
    for (const [file, { source, mutants }] of all)
      for (const each of mutants.filter(isSurvivor)) say(inWords(file, source, each));
    const total = scoreOf(all.flatMap(([, { mutants }]) => mutants));
    return [
      ...all.map(([file, { mutants }]) => judged(file, mutants)),
      { what: `all, score ${total.score}`, tried: total.counted, failed: [] },
    ];
  },
};

async function run(command: string, args: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('error', reject);
  child.on('exit', (code) =>
    code === 0 ? resolve() : reject(new Error(`${command} ${args[0]} failed with status ${code}`)),
  );
  await promise;
}

/** An ignored mutant is static or disabled by a comment; others with neither result did not compile. */
const isCounted = (status: string): boolean =>
  ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status);
const isSurvivor = ({ status }: Mutant): boolean =>
  status === 'Survived' || status === 'NoCoverage';

function scoreOf(mutants: readonly Mutant[]): { counted: number; score: number } {
  const counted = mutants.filter(({ status }) => isCounted(status));
  const killed = counted.filter((each) => !isSurvivor(each));
  return {
    counted: counted.length,
    score: Math.floor((1_000 * killed.length) / counted.length) / 10,
  };
}

function judged(file: string, mutants: readonly Mutant[]): Tried {
  const { counted, score } = scoreOf(mutants);
  return {
    what: `${file}, score ${score}`,
    tried: counted,
    failed: score < LEAST_SCORE ? [`its score is below ${LEAST_SCORE}`] : [],
  };
}

function inWords(
  file: string,
  source: string,
  { mutatorName, replacement, location: { start, end }, status }: Mutant,
): string {
  const lines = source.split('\n');
  const original =
    start.line === end.line
      ? lines[start.line - 1]?.slice(start.column - 1, end.column - 1)
      : lines[start.line - 1]?.trim();
  const why = status === 'NoCoverage' ? 'no test runs' : 'survives';
  return `${file}:${start.line}:${start.column} ${why}: ${mutatorName} ${original} → ${replacement ?? ''}`;
}
