import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { messageOf } from '../setup/command.mjs';
import { rows, runBench } from './bench.ts';
import { enoughFiles } from './open-files.ts';
import { endWhenInterrupted } from './program.ts';
import { busyBefore, machine, updateReadme } from './readme.ts';
import { table } from './row.ts';
import { full, quick } from './sizes.ts';

/** `npm run bench`: measures the server beside bare Express, `ws` and SQLite in the same run. */

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const options = {
  only: { type: 'string', multiple: true },
  json: { type: 'string' },
  readme: { type: 'boolean' },
  at: { type: 'string' },
  help: { type: 'boolean' },
} as const;
const { values, positionals } = readArguments();
const [what = 'all'] = positionals;

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    say(messageOf(error));
    return usage();
  }
}

function usage(status = 2): never {
  say('npm run bench -- [quick] [--only NAME] … [--json FILE] [--readme]');
  for (const [name, row] of Object.entries(rows)) say(`  ${name.padEnd(18)} ${row.what}`);
  say('npm run bench -- profile [--at COMMIT]');
  say('npm run bench -- screens');
  say('npm run bench -- lighthouse');
  process.exit(status);
}

async function measureTable(): Promise<void> {
  const names = values.only ?? Object.keys(rows);
  if (names.some((name) => !Object.hasOwn(rows, name))) usage();
  const since = performance.now();
  const busy = busyBefore();
  const measured = await runBench(enoughFiles(what === 'quick' ? quick : full, say), names, say);
  const report = `${table(measured)}\n\n${await machine(performance.now() - since, busy)}`;
  say(`\n${report}`);
  if (values.json) await writeFile(values.json, JSON.stringify(measured, null, 2));
  if (values.readme) await updateReadme(report);
}

endWhenInterrupted();
if (values.help) usage(0);
switch (what) {
  case 'all':
  case 'quick':
    await measureTable();
    break;
  case 'profile':
    await (await import('./profile.ts')).profileSubmissions(full, values.at, say);
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
