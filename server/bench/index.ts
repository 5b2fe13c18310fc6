import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runBench, rows } from './bench.ts';
import { table } from './row.ts';
import { full, quick } from './sizes.ts';

/** `npm run bench`: the table of what the server does, beside what the machine could do. */

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true }, json: { type: 'string' } },
});
const [what = 'all'] = positionals;

function usage(): never {
  say('npm run bench -- [quick] [--only NAME] … [--json FILE]');
  for (const [name, row] of Object.entries(rows)) say(`  ${name.padEnd(14)} ${row.what}`);
  say('npm run bench -- screens | lighthouse');
  process.exit(2);
}

async function measureTable(): Promise<void> {
  const names = values.only ?? Object.keys(rows);
  if (names.some((name) => !Object.hasOwn(rows, name))) usage();
  const measured = await runBench(what === 'quick' ? quick : full, names, say);
  say(`\n${table(measured)}`);
  if (values.json) await writeFile(values.json, JSON.stringify(measured, null, 2));
}

switch (what) {
  case 'all':
  case 'quick':
    await measureTable();
    break;
  case 'screens':
    await (await import('./screens/compare-sizes.ts')).compareSizes(say);
    break;
  case 'lighthouse':
    await (await import('./screens/ask-lighthouse.ts')).askLighthouse(say);
    break;
  default:
    usage();
}
