import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const SERVER = path.resolve(import.meta.dirname, '../..');
/** Not part of the running server. */
const IS_TOOLING = /(^|\/)(test|dev|released|migrations)\/|\.test\.ts$|^db\/schema/;

async function serverFiles(): Promise<Map<string, string>> {
  const files = (await readdir(SERVER, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !IS_TOOLING.test(file),
  );
  return new Map(
    await Promise.all(
      files.map(async (file) => [file, await readFile(path.join(SERVER, file), 'utf8')] as const),
    ),
  );
}

async function filesWith(pattern: RegExp): Promise<string[]> {
  return [...(await serverFiles())]
    .flatMap(([file, text]) => (pattern.test(text) ? [file] : []))
    .sort();
}

it('rows of claims are written by operations that report it to claimsChanged', async () => {
  const writers = await filesWith(/(insertInto|updateTable|deleteFrom)\('(claims|claim_parts)'\)/);
  const reports = await filesWith(/\b(claimsChanged|manyClaimsChanged)\(/);
  const silent = writers.filter((file) => !reports.includes(file));
  expect(silent).toEqual([
    // The rows that edits and transfers report.
    'board/claims/holders.ts',
    // The rows that deletions report, and restored ones that something was in the way of.
    'board/claims/occupancy.ts',
    // The rows that submit, event copies and offers report.
    'board/claims/store-claims.ts',
    // Moves the last date of a whole event's claims; the event shows it.
    'board/events/event-dates.ts',
  ]);
});

it('claims and their hours are deleted in few places', async () => {
  expect(await filesWith(/deleteFrom\('(occupied_hours|claims)'\)/)).toEqual([
    'board/claims/end-claims.ts',
    'board/claims/occupancy.ts',
  ]);
});

it.each([
  ['live changes', /kind: '(claim|occupancy)', record|remove\('(claim|occupancy)'/],
  ['stored counts', /(?<!function )(moveRespawnCounts|moveEventCounts)\(/],
  ['activity entries', /'claim_(created|updated|deleted|released|confirmed|no_show)'/],
])('%s of claims follow from claimsChanged alone', async (_effect, pattern) => {
  expect(await filesWith(pattern)).toEqual(['board/claims/claims-changed.ts']);
});

it('claim history and domain events of claims are written where claimsChanged calls it', async () => {
  expect(await filesWith(/(insertInto|deleteFrom)\('claim_endings'\)/)).toEqual([
    'board/claims/claims-changed.ts',
  ]);
  expect(await filesWith(/report\(\{ type: 'claims?\.|types\.push\('(claim|hold)\./)).toEqual([
    'board/claims/claim-events.ts',
  ]);
  expect(
    await filesWith(/(?<!function )\b(recordEnds|forgetEnds|emitClaimEvents|emitBulkSummary)\(/),
  ).toEqual(['board/claims/claims-changed.ts']);
});
