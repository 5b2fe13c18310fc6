/**
 * Checks the server's queries. Nothing is deleted by age except in jobs that `deletes_by_age` guards (`deleteOld`): such a job selects the
 * old rows, so that a `deleteFrom` compares no time. No feature reads the activity log, which may be pruned: facts are in tables.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, complain } from '../setup/command.mjs';

/** Deletions that compare a time although they are none by age: file, table and why. @type {Record<string, string>} */
const NOT_BY_AGE = {
  'server/jobs/job-store.ts jobs': 'a due job is taken',
  'server/board/claims/occupancy.ts occupied_hours': 'the hours of a claim between two dates',
  'server/board/claims/occupancy.ts occupied_days': 'the days of a claim between two dates',
  'server/db/clock/heartbeats.ts heartbeats':
    'heartbeats show when the clock jumped; without old ones nothing expires',
  'server/db/clock/peers.ts servers': 'a running server announces itself again',
  'server/http/rate-limits.ts wrong_tries': 'windows that are over; layers below the jobs',
};

/** Readers of the log outside its folder, and why. @type {Record<string, string>} */
const READS_THE_LOG = {
  'server/board/claims/occupancy.ts': 'entries of merged names, which are never deleted',
  'server/board/claims/edit-undo.ts':
    'who changed a claim since, for a refusal that says less without the entry',
};

const TIME = /(^|\.)(\w+_)?(at|on|until|date|timestamp)$/;

/** Sentences about the queries of a file. @param {string} file @param {string} text @returns {string[]} */
export function faultsOf(file, text) {
  const faults = [];
  for (const { index } of text.matchAll(/deleteFrom\(/g)) {
    const statement = text.slice(index, index + 800).split(/\.execute|;\n/)[0] ?? '';
    const table = /deleteFrom\('(\w+)'/.exec(statement)?.[1] ?? '';
    const isTimed = [...statement.matchAll(/\(\s*'([\w.]+)',\s*'<=?'/g)].some(([, column = '']) =>
      TIME.test(column),
    );
    if (!isTimed || `${file} ${table}` in NOT_BY_AGE) continue;
    faults.push(
      `${file} deletes ${table} by age without the guard: select the old rows in a \`deleteOld\` job`,
    );
  }
  const isLog =
    file.startsWith('server/activity/') ||
    file.startsWith('server/db/migrations/') ||
    file in READS_THE_LOG;
  if (!isLog && /(selectFrom|[jJ]oin)\(\s*'activity['. ]|from activity\b/.test(text)) {
    faults.push(`${file} reads the activity log, which may be pruned: store the fact in a table`);
  }
  return faults;
}

const isChecked = (/** @type {string} */ file) =>
  /\.ts$/.test(file) && !/\.test\.ts$|\/test\/|^server\/(dev|db\/released|cli\/demo)\//.test(file);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = readdirSync(at('server'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(at('.'), join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(isChecked);
  const faults = files.flatMap((file) => faultsOf(file, readFileSync(at(file), 'utf8')));
  for (const fault of faults) complain(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
