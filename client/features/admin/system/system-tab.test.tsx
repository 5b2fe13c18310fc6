import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import en from '../../../../shared/locales/en.json';
import { FINDINGS, findingKeys } from '../../../../shared/rules/findings.ts';
import type { CheckResult, System } from '../../../../shared/schemas/system.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, renderAdmin } from '../test/show-admin.tsx';
import './system-tab.tsx';

// Here before the first test, which would otherwise wait for it.

const AT = '2026-11-21T17:58:00.000Z';
const aCheck = (
  name: string,
  state: CheckResult['state'],
  finding: string,
  params: CheckResult['params'] = {},
): CheckResult => ({
  name,
  state,
  finding,
  params,
  text: 'As the server says it',
  what_to_do: null,
});
const aSystem = (more: Partial<System> = {}): System => ({
  version: '0.1.0',
  build: 'abc123',
  node: '26.10.0',
  started_at: AT,
  public_url: 'https://board.example',
  database: { kind: 'sqlite', bytes: 820_000_000, parts: { claims: 610_000_000, undo: 4_000 } },
  watching: { members: 12, admins: 1, choosing: 2 },
  clock: {
    time: AT,
    date: '2026-11-21',
    hour: 9,
    next_server_save: '2026-11-22T09:00:00.000Z',
    time_zone: 'America/Los_Angeles',
    machine_ahead: null,
    deletion_paused: null,
  },
  servers: [],
  disk: { free: 41_000_000_000, total: 80_000_000_000 },
  notifications: { paused_at: null },
  backup: { newest: null, every_hours: 24, kept: 7, running: null, failure: null },
  checkup: { last: null, running: null },
  ...more,
});
const checked = (...checks: CheckResult[]): System =>
  aSystem({ checkup: { last: { started_at: AT, ended_at: AT, checks }, running: null } });

beforeEach(() => clearBoard());
afterEach(() => vi.unstubAllGlobals());

const show = async (answer: () => Response, more: Record<string, () => Response> = {}) => {
  const sent = mockServer({ 'GET /api/admin/system': answer, ...more });
  await openAdmin('/admin/dashboard/settings/system');
  return sent;
};
const press = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));

test('the facts of the server are read, sizes in words', async () => {
  await show(() => ok(aSystem()));
  const facts = (await screen.findByRole('region', { name: 'Server' })).textContent;
  expect(facts).toContain('0.1.0, client build abc123');
  expect(facts).toContain('SQLite, 820 MB');
  expect(facts).toContain('claims 610 MB · undo data 4 kB');
  expect(facts).toContain('12 members, 1 admin');
  expect(facts).toContain('2 choosing hours');
  expect(facts).toContain('SS+9');
  expect(facts).toContain('41 GB of 80 GB free');
});

test('a doubtful clock and a server with other settings are reported, with instructions', async () => {
  const system = aSystem();
  const server = { seen_at: AT, build: null };
  await show(() =>
    ok({
      ...system,
      clock: { ...system.clock, deletion_paused: { reason: 'jumped', seconds: 86_400, until: AT } },
      servers: [
        { ...server, id: 'a', started_at: AT, is_this: true, differing: [] },
        {
          ...server,
          id: 'b',
          started_at: AT,
          is_this: false,
          differing: ['SS_HOUR', 'HORIZON_DAYS'],
        },
      ],
    }),
  );
  expect(
    await screen.findByText(
      /^Old data isn't deleted until .+: the server's clock jumped\. Check that it's right\.$/,
    ),
  ).toBeTruthy();
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    expect.stringContaining(
      "differ from the first server's: SS_HOUR, HORIZON_DAYS. Give all servers the same settings.",
    ),
  ]);
});

test('failed checks are first, in words, with instructions; what is OK is folded', async () => {
  await show(() =>
    ok(
      checked(
        aCheck('node', 'ok', 'ok', { version: '26.10.0' }),
        aCheck('address', 'warning', 'unset'),
        aCheck('live', 'failed', 'noUpgrade', { status: 400 }),
        aCheck('destinations', 'warning', 'failing', {
          n: 1,
          name: 'Loot bot',
          error: 'unknownHost',
        }),
      ),
    ),
  );
  const items = within(await screen.findByRole('list', { name: 'Results' })).getAllByRole(
    'listitem',
  );
  expect(items.map((item) => within(item).getByRole('heading').textContent)).toEqual([
    'Live connection',
    'Public address',
    'Discord & webhooks',
  ]);
  const good = screen.getByText('OK · 1').closest('details');
  expect(good?.open).toBe(false);
  expect(good?.textContent).toContain('Node.js');
  expect(items[2]?.textContent).toContain("such as Loot bot: the host name doesn't exist.");
  expect(items[0]?.textContent).toMatch(
    /WebSocket gets status 400.*Let the proxy pass WebSocket upgrades/,
  );
  expect(screen.getByText('1 problem')).toBeTruthy();
});

test('a press starts a check that shows its progress and keeps the previous findings', async () => {
  const before = checked(aCheck('node', 'ok', 'ok', { version: '26.10.0' }));
  let answer = before;
  const sent = await show(() => ok(answer), {
    'POST /api/admin/system/checkup': () => {
      answer = {
        ...before,
        checkup: {
          ...before.checkup,
          running: { started_at: AT, looking_at: 'integrity', done: 16, of: 19 },
        },
      };
      return ok(answer.checkup);
    },
  });
  await press('Check now');
  expect(await screen.findByText('Checking 16 of 19: Database integrity')).toBeTruthy();
  expect(screen.getByText('Everything is OK')).toBeTruthy();
  expect(screen.queryByRole('list', { name: 'Results' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Check now' }).getAttribute('aria-busy')).toBe('true');
  expect(sent.filter(({ call }) => call.startsWith('POST'))).toHaveLength(1);
});

test('a backup is made by a press, shows how far it is, and why it failed', async () => {
  let answer = aSystem();
  await show(() => ok(answer), {
    'POST /api/admin/system/backup': () => {
      answer = aSystem({ backup: { ...answer.backup, running: { started_at: AT, percent: 42 } } });
      return ok({ running: answer.backup.running, failure: null });
    },
  });
  expect(screen.getByText('No backups yet.')).toBeTruthy();
  await press('Back up now');
  expect(await screen.findByText('Backing up… 42 %')).toBeTruthy();
  const newest = { name: 'x', made_at: AT, bytes: 41_000_000, elsewhere: null };
  answer = aSystem({
    backup: {
      ...answer.backup,
      running: null,
      newest,
      failure: { at: AT, reason: 'no space left' },
    },
  });
  expect((await screen.findByRole('alert', undefined, { timeout: 10_000 })).textContent).toContain(
    'no space left',
  );
  expect(screen.getByText(/^Latest: .*41 MB$/)).toBeTruthy();
});

test('a restored database says that nothing is sent, and an owner resumes it after being told the consequence', async () => {
  let answer = aSystem({ notifications: { paused_at: AT } });
  const sent = await show(() => ok(answer), {
    'POST /api/admin/system/resume-notifications': () => {
      answer = aSystem();
      return ok(answer.notifications);
    },
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing is sent to Discord');
  await press('Resume notifications…');
  expect((await screen.findByRole('alertdialog')).textContent).toContain(
    'those since then are sent now',
  );
  expect(sent.filter(({ call }) => call.startsWith('POST'))).toEqual([]);
  await press('Resume notifications');
  await waitFor(() => expect(screen.queryByText('Notifications are paused')).toBeNull());
  expect(sent.filter(({ call }) => call.startsWith('POST'))).toHaveLength(1);
});

test('says that the server cannot be reached, and offers a retry', async () => {
  let answer = (): Response => refused(503, 'server.databaseAway', { seconds: 2 });
  await show(() => answer());
  expect((await screen.findByRole('alert')).textContent).toContain("couldn't be loaded");
  answer = () => ok(aSystem());
  await press('Try again');
  expect(await screen.findByRole('region', { name: 'Server' })).toBeTruthy();
});

test('only owners have the section', async () => {
  await show(() => ok(aSystem()));
  expect(screen.getByRole('link', { name: 'System' })).toBeTruthy();
  useSession.setState(({ admin }) => ({ admin: admin && { ...admin, role: 'admin' } }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'System' })).toBeNull());
  renderAdmin('/admin/dashboard/settings/system');
  expect(screen.queryByRole('region', { name: 'Server' })).toBeNull();
});

test('every finding has a sentence, and every problem a fix', () => {
  const { findings: findingTexts, fixes, names } = en.admin.system;
  const texts = (of: object, key: string): unknown =>
    key
      .split('.')
      .reduce<unknown>(
        (at, part) =>
          at instanceof Object ? Object.entries(at).find(([name]) => name === part)?.[1] : null,
        of,
      );
  for (const [name, findings] of Object.entries(FINDINGS))
    for (const [finding, state] of Object.entries(findings)) {
      const keys = findingKeys(name, finding);
      expect(texts(findingTexts, keys.text), `${name} ${finding}`).toBeTypeOf('string');
      if (state !== 'ok')
        expect(texts(fixes, keys.todo ?? ''), `${name} ${finding}`).toBeTypeOf('string');
      expect(texts(names, name)).toBeTypeOf('string');
    }
});
