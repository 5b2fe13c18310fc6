import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isCapability } from '../../shared/rules/roles.ts';
import { routes } from '../app.ts';
import { anAdmin, changeUnheard } from '../dev/test/builders.ts';
import { databases, usualDatabases } from '../dev/test/databases.ts';
import { expectNoTick } from '../dev/test/expect-refusal.ts';
import { createSuiteApp, type TestApp } from '../dev/test/test-app.ts';
import { serveGameData } from '../members/verification/test/game-data.ts';
import type { Write } from './test/write.ts';
import { writesOfBoard } from './test/writes-of-board.ts';
import { writesOfPeople } from './test/writes-of-people.ts';

/** The examples of every call, which another test keeps complete. */
const writes: Record<string, Write> = { ...writesOfPeople, ...writesOfBoard };
/** Its example is a member's. */
const BY_MEMBERS = ['post /waits'];

const ofAdmins = routes
  .map(({ method, path, access }) => ({ call: `${method} ${path}`, access }))
  .filter(({ access }) => access === 'actor' || isCapability(access))
  .flatMap(({ call, access }) => {
    const write = writes[call];
    return write?.owes && !BY_MEMBERS.includes(call) ? [{ call, access, write }] : [];
  });

/** On PostgreSQL one call for each kind of access: what differs there are the queries for the admin, not the call. */
const oneOfEachAccess = ofAdmins.filter(
  ({ access }, at) => ofAdmins.findIndex((other) => other.access === access) === at,
);

const data = await serveGameData();
afterAll(data.close);

/** Lets the next write find that `meanwhile` happened while it waited in the queue. */
function whileNextWriteWaits(
  { ctx: { writes } }: TestApp,
  meanwhile: () => Promise<unknown>,
): void {
  vi.spyOn(writes, 'transaction').mockImplementationOnce(async (...write) => {
    await meanwhile();
    return writes.transaction(...write);
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

describe.each(databases)(
  'an admin who loses their rights while a write waits, on %s',
  (dialect) => {
    const app = createSuiteApp(dialect, { env: { CHARACTER_API_URL: data.url } });

    it.each(usualDatabases.includes(dialect) ? ofAdmins : oneOfEachAccess)(
      '$call: is refused, and nothing is written',
      async ({ access, write }) => {
        const owner = await anAdmin(app, 'owner');
        const as = { ...app, admin: owner.headers };
        const roles = await app.ctx.db.selectFrom('admins').select(['id', 'role']).execute();

        const demoted = await write.make(as, data);
        whileNextWriteWaits(app, () =>
          changeUnheard(app, (tx) => tx.updateTable('admins').set({ role: 'viewer' }).execute()),
        );
        if (access !== 'dashboard') {
          expect(await expectNoTick(app, demoted)).toMatchObject({
            status: 403,
            body: { code: 'session.notAllowed' },
          });
          for (const { id, role } of roles)
            await changeUnheard(app, (tx) =>
              tx.updateTable('admins').set({ role }).where('id', '=', id).execute(),
            );
        } else vi.restoreAllMocks();

        const removed = await write.make(as, data);
        const sessions = await app.ctx.db.selectFrom('admin_sessions').selectAll().execute();
        whileNextWriteWaits(app, () =>
          changeUnheard(app, (tx) => tx.deleteFrom('admin_sessions').execute()),
        );
        expect(await expectNoTick(app, removed)).toMatchObject({
          status: 401,
          body: { code: 'session.expired' },
        });
        await changeUnheard(app, (tx) =>
          tx.insertInto('admin_sessions').values(sessions).execute(),
        );
      },
    );
  },
);
