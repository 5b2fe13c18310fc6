import { describe, expect, it } from 'vitest';
import { ADMIN_ROLES } from '../../../shared/rules/roles.ts';
import { aKey, anAdmin, asMember } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp } from '../../dev/test/test-app.ts';

describe.each(databases)('the first-run checklist on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const put = (change: object) => app.api.put('/admin/setup').set(app.admin).send(change);

  it('stores what admins skipped, resumed and dismissed, for all of them, hidden from other callers', async () => {
    const fresh = await createTestApp(dialect);
    const read = async (as: { Authorization: string }) =>
      (await fresh.api.get('/admin/setup').set(as).expect(200)).body.data;
    expect(await read(fresh.admin)).toEqual({ skipped: [], is_dismissed: false });
    const other = await anAdmin(fresh, 'admin');
    await expectNoTick(fresh, async () => {
      await fresh.api
        .put('/admin/setup')
        .set(fresh.admin)
        .send({ skip: ['discord', 'guild_name'] })
        .expect(200);
      const answer = await fresh.api
        .put('/admin/setup')
        .set(other.headers)
        .send({ skip: ['event'], resume: ['guild_name'] })
        .expect(200);
      expect(answer.body.data).toEqual({ skipped: ['event', 'discord'], is_dismissed: false });
    });
    await fresh.api.put('/admin/setup').set(other.headers).send({ is_dismissed: true }).expect(200);
    expect(await read(fresh.admin)).toEqual({ skipped: ['event', 'discord'], is_dismissed: true });
    expect((await fresh.api.get('/config').expect(200)).body).not.toHaveProperty('setup');
  });

  it.each(ADMIN_ROLES)(
    'is read and changed by an admin who is %s, if the role may manage the guild',
    async (role) => {
      const { headers } = await anAdmin(app, role);
      const status = role === 'owner' || role === 'admin' ? 200 : 403;
      await app.api.get('/admin/setup').set(headers).expect(status);
      await app.api
        .put('/admin/setup')
        .set(headers)
        .send({ skip: ['discord'] })
        .expect(status);
    },
  );

  it('refuses members, visitors and unknown steps', async () => {
    const key = await aKey(app);
    await expectNoTick(app, async () => {
      expectRefusal(await app.api.get('/admin/setup'), 401, 'session.required', 'Access denied');
      expectRefusal(
        await app.api.get('/admin/setup').set(asMember(key)),
        403,
        'session.adminOnly',
        'Access denied',
      );
      expectRefusal(
        await put({ skip: ['lunch'] }),
        400,
        'request.invalid',
        'The field “skip.0” is not valid.',
      );
      expectRefusal(
        await put({ is_dismissed: 'yes' }),
        400,
        'request.invalid',
        'The field “is_dismissed” is not valid.',
      );
    });
  });
});
