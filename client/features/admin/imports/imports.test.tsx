import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toCsv } from '../../../../shared/csv.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { ImportedRow } from '../../../../shared/schemas/import.ts';
import { LANGUAGES, loadSentencesOf } from '../../../i18n.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { aKey, aSpot, aWeeklyClaim } from '../../../test/records.ts';
import { savedFiles } from '../test/saved-files.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin } from '../test/show-admin.tsx';
import { MEMBER_COLUMNS, SPOT_COLUMNS, withAllHeadings } from './import-columns.ts';
import { MAX_BYTES, readTable } from './read-table.ts';

beforeEach(clearBoard);
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const COLUMNS = [
  { field: 'name', headings: ['Respawn', 'name'], required: true },
  { field: 'category', headings: ['Category'] },
] as const;
const read = (text: string) => readTable(new Blob([text]), COLUMNS);

describe('a file that is read', () => {
  test('may be divided by commas, semicolons or tabs, with quotes, empty lines and a mark at its beginning', async () => {
    expect(
      await read('\u{FEFF}Respawn,Category,Note\r\n"Hero, cave",East,x\r\n\r\n"A ""b""",,\r\n'),
    ).toEqual({
      rows: [
        { name: 'Hero, cave', category: 'East' },
        { name: 'A "b"', category: '' },
      ],
      lines: [2, 4],
      ignored: ['Note'],
    });
    expect(await read('NAME;Category\nHero cave;East')).toMatchObject({
      rows: [{ name: 'Hero cave', category: 'East' }],
    });
    expect(await read('Category\tname\nEast\tHero cave')).toMatchObject({
      rows: [{ name: 'Hero cave', category: 'East' }],
    });
  });

  test('may have few columns, any separator, and any spreadsheet’s encoding', async () => {
    expect(await read('sep=;\r\nRespawn;Category\r\nHero cave;East\r\n')).toMatchObject({
      rows: [{ name: 'Hero cave', category: 'East' }],
    });
    expect(await read('Respawn;Category\r\nA;B\r\n\r\nC;D\r\n')).toMatchObject({
      rows: [{ name: 'A' }, { name: 'C' }],
      lines: [2, 4],
    });
    const windows = new Uint8Array(
      [...'Respawn\nSantu']
        .map((sign) => sign.charCodeAt(0))
        .concat(0xe1, ...[...'rio'].map((sign) => sign.charCodeAt(0))),
    );
    expect(await readTable(new Blob([windows]), COLUMNS)).toMatchObject({
      rows: [{ name: 'Santuário' }],
    });
    const wide = new Uint16Array([
      0xfeff,
      ...[...'Respawn\tCategory\nSantuário\tEast'].map((sign) => sign.charCodeAt(0)),
    ]);
    expect(await readTable(new Blob([wide]), COLUMNS)).toMatchObject({
      rows: [{ name: 'Santuário', category: 'East' }],
    });
  });

  test('accepts our own export: the apostrophe before a formula is not part of the name', async () => {
    expect(await read("Respawn\n'=Hero\n'-1\n'tis")).toMatchObject({
      rows: [{ name: '=Hero' }, { name: '-1' }, { name: "'tis" }],
    });
  });

  test('may begin with empty lines, which count', async () => {
    expect(await read('\r\n,,\r\n ;\r\nRespawn;Category\r\nHero cave;East\r\n')).toMatchObject({
      rows: [{ name: 'Hero cave', category: 'East' }],
      lines: [5],
    });
    expect(await read('\n\n')).toEqual({ problem: 'noTable' });
  });

  test('may have texts as formulas, as some programs write them', async () => {
    expect(await read('="Respawn",Category\n="Hero ""cave""",="East"\n"=""007""",')).toMatchObject({
      rows: [
        { name: 'Hero "cave"', category: 'East' },
        { name: '007', category: '' },
      ],
    });
    // Our own export guards a name that looks so.
    expect(await read(toCsv(['Respawn'], [['="Hero"']]))).toMatchObject({
      rows: [{ name: '="Hero"' }],
    });
  });

  test('is our own export of any spots and members, in any language', async () => {
    const unit = fc.constantFrom(...'=+-@;,\t"\'| aáñ7ß龍');
    const name = fc
      .oneof(
        fc.string({ unit, minLength: 1, maxLength: 12 }),
        fc.constantFrom('="Hero"', '=1+1', "'=x", 'sep=;'),
      )
      .map(tidyName);
    const names = fc.uniqueArray(name.filter(Boolean), { minLength: 1, maxLength: 5 });
    const languages = fc.constantFrom(...LANGUAGES.map(({ code }) => code));
    await fc.assert(
      fc.asyncProperty(names, name, languages, languages, async (all, category, exported, page) => {
        const from = await loadSentencesOf(exported);
        const to = await loadSentencesOf(page);
        const headings = [
          ...SPOT_COLUMNS.map(({ heading }) => heading(from)),
          from('admin.respawns.columns.claims'),
        ];
        const yes = from('admin.activity.yes');
        const file = toCsv(
          headings,
          all.map((each) => [each, category, yes, 3]),
        );
        expect(await readTable(new Blob([file]), await withAllHeadings(SPOT_COLUMNS, to))).toEqual({
          rows: all.map((each) => ({ name: each, category, enabled: yes })),
          lines: all.map((_, at) => at + 2),
          ignored: [from('admin.respawns.columns.claims')],
        });
        const members = toCsv(
          MEMBER_COLUMNS.map(({ heading }) => heading(from)),
          all.map((each) => [each, category]),
        );
        expect(
          await readTable(new Blob([members]), await withAllHeadings(MEMBER_COLUMNS, to)),
        ).toMatchObject({
          rows: all.map((character_name) => ({ character_name, member_type: category })),
          ignored: [],
        });
      }),
      { numRuns: 100 },
    );
  });

  test('shows errors of the whole file', async () => {
    expect(await read('')).toEqual({ problem: 'noTable' });
    expect(await read('Respawn\n"never closed')).toEqual({ problem: 'noTable' });
    expect(await read('Category\nEast')).toEqual({ problem: 'noColumn', column: 'Respawn' });
    expect(await read('Respawn\n\n')).toEqual({ problem: 'empty' });
    expect(await read(`Respawn\n${'x\n'.repeat(2_001)}`)).toEqual({ problem: 'tooMany' });
    expect(await read(`Respawn\n${'x'.repeat(201)}`)).toEqual({ problem: 'longCell' });
    expect(await read(`Respawn\n${'x'.repeat(MAX_BYTES)}`)).toEqual({ problem: 'tooLarge' });
  });
});

const row = (
  name: string,
  outcome: ImportedRow['outcome'],
  more: Partial<ImportedRow> = {},
): ImportedRow => ({
  outcome,
  name,
  code: null,
  params: {},
  changed: {},
  ...more,
});
const press = async (name: string): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));
const choose = (text: string, name = 'spots.csv'): Promise<void> =>
  userEvent.upload(screen.getByLabelText('CSV file'), new File([text], name, { type: 'text/csv' }));
const openImport = async (what: string): Promise<void> => {
  await openAdmin('/admin/dashboard/settings/import-export', { respawn: [aSpot(1, 'Hero cave')] });
  await press(`Import ${what}`);
};

describe('an import', () => {
  test('previews each row, then imports after a second press', async () => {
    const answer = {
      rows: [
        row('Hero cave', 'new'),
        row('Old', 'changed', { changed: { is_enabled: { from: 1, to: 0 } } }),
        row('', 'wrong', { code: 'respawn.nameRequired' }),
        row('Same', 'same'),
      ],
      new_categories: ['East'],
      activity_id: null,
    };
    const sent = mockServer({ 'POST /api/admin/import/respawns': () => ok(answer) });
    await openImport('Spots');
    await choose('Respawn,Category,Enabled\nHero cave,East,yes\nOld,,no\n\n,East,\nSame,,');
    const preview = await screen.findByRole('region', { name: 'Preview' });
    expect(within(preview).getByRole('status').textContent).toBe(
      '1 new1 changed1 unchanged1 skipped',
    );
    const lines = within(preview)
      .getAllByRole('row')
      .map(({ textContent }) => textContent);
    expect(lines.slice(1)).toEqual([
      '5(no name)Respawn name is required',
      '3OldEnabled: yes → no',
      '2Hero cavenew',
    ]);
    expect(preview.textContent).toContain('1 new category: East.');
    expect(sent[0]?.body).toEqual({
      rows: [
        { name: 'Hero cave', category: 'East', enabled: 'yes' },
        { name: 'Old', category: '', enabled: 'no' },
        { name: '', category: 'East', enabled: '' },
        { name: 'Same', category: '', enabled: '' },
      ],
      preview: true,
    });
    await press('Import 2 rows');
    expect(await screen.findByText('Imported: 1 new, 1 changed')).toBeTruthy();
    expect(sent[1]?.body).toMatchObject({ preview: false });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('names the weekly claims that it stops', async () => {
    const stops = (name: string) =>
      row(name, 'changed', { changed: { is_enabled: { from: 1, to: 0 } } });
    const rows = [
      stops('old  CAVE'),
      row('Hero cave', 'changed', { changed: { is_enabled: { from: 0, to: 1 } } }),
    ];
    mockServer({
      'POST /api/admin/import/respawns': () => ok({ rows, new_categories: [], activity_id: null }),
    });
    await openAdmin('/admin/dashboard/settings/import-export', {
      respawn: [aSpot(1, 'Hero cave'), aSpot(2, 'Old cave')],
      standing_claim: [
        aWeeklyClaim(),
        aWeeklyClaim({ id: 5, respawn_id: 2 }),
        aWeeklyClaim({ id: 6, respawn_id: 2 }),
      ],
    });
    await press('Import Spots');
    await choose('Respawn,Enabled\nold  CAVE,no\nHero cave,yes');
    const preview = await screen.findByRole('region', { name: 'Preview' });
    expect(preview.textContent).toContain(
      '2 weekly claims make no claims until you enable this again.',
    );
  });

  test("without changes can't be imported, and a refusal is shown", async () => {
    let refuse = true;
    mockServer({
      'POST /api/admin/import/members': () =>
        refuse
          ? refused(503, 'server.busy')
          : ok({ rows: [row('Thora', 'same')], new_categories: [], activity_id: null }),
    });
    await openImport('Members and keys');
    await choose('Character\nThora');
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    refuse = false;
    await choose('Character\nThora');
    await screen.findByRole('region', { name: 'Preview' });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('button', { name: 'Import' })).toHaveProperty('disabled', true);
  });
});

test('every table is saved as it is, dated as the server save', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T05:00:00Z') });
  const saved = savedFiles();
  await openAdmin('/admin/dashboard/settings/import-export', {
    respawn: [aSpot(1, 'Hero cave')],
    access_key: [aKey()],
  });
  await press('Export CSV of Spots');
  await press('Export CSV of Members and keys');
  await waitFor(() => expect(saved[1]?.text).not.toBe(''));
  expect(saved[0]?.name).toBe('spots-2026-11-21.csv');
  expect(saved[0]?.text).toContain('"Spot","Category","Enabled","Claims","Last claim"');
  expect(saved[1]?.text).toContain(aKey().key_value);
});

test('a read-only admin has no settings: they contain keys', async () => {
  await openAdmin('/admin/dashboard/settings/import-export');
  expect(screen.getByRole('link', { name: 'Settings' })).toBeTruthy();
  act(() => useSession.setState({ admin: { username: 'Thora', token: 'token', role: 'viewer' } }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Settings' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Export CSV of Members and keys' })).toBeNull();
});
