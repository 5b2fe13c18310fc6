import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { messageOf } from '../setup/command.mjs';
import { api } from './api.ts';
import { connections } from './connections/index.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { headers } from './headers.ts';
import { load } from './load/load.ts';
import { mutation } from './mutation/mutation.ts';
import type { Proof, Tried } from './proof.ts';
import { simulate } from './simulate.ts';
import { soak } from './soak.ts';
import { storm, stormOfFaults, stormOnPostgres, stormOnSqlite } from './storm/storm.ts';
import { tests } from './tests.ts';

/** `npm run prove -- <what> [--runs N] [--seed N] [--minutes N] [--servers N]`: exit status 1 when something did not hold. */

const proofs: Readonly<Record<string, Proof>> = {
  api,
  connections,
  fuzz,
  headers,
  load,
  mutation,
  simulate,
  soak,
  storm,
  'storm-sqlite': stormOnSqlite,
  'storm-postgres': stormOnPostgres,
  'storm-faults': stormOfFaults,
  tests,
};

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function usage(status = 2): never {
  say('npm run prove -- <what> [--runs N] [--seed N], where <what> is one of');
  for (const [name, { summary, unit, long }] of Object.entries(proofs))
    say(`  ${name.padEnd(14)} ${summary} (${long} ${unit})`);
  process.exit(status);
}

function tell({ what, tried, failed }: Tried): void {
  say(`${failed.length === 0 ? '✓' : '✗'} ${what}: ${tried} tried, ${failed.length} failed`);
  for (const failure of failed) say(`    ${failure}`);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        runs: { type: 'string' },
        minutes: { type: 'string' },
        servers: { type: 'string' },
        seed: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    say(messageOf(error));
    return usage();
  }
}

const { values, positionals } = readArguments();
if (values.help) usage(0);
const proof = Object.hasOwn(proofs, positionals[0] ?? '')
  ? proofs[positionals[0] ?? '']
  : undefined;
if (!proof) usage();
const seed = Number(values.seed ?? randomInt(2 ** 31));
// Long proofs count minutes instead of runs.
const runs = Number(values.minutes ?? values.runs ?? proof.long);
const servers = values.servers === undefined ? null : Number(values.servers);
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(runs) || runs < 1) usage();
say(`seed ${seed}, ${runs} ${proof.unit}`);
const began = performance.now();
const tried = await proof.run({ seed, runs, servers, say });
for (const each of tried) tell(each);
say(`in ${((performance.now() - began) / 1000).toFixed(0)} s`);
process.exit(tried.every(({ failed }) => failed.length === 0) ? 0 : 1);
