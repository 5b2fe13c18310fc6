import { describe, expect, it } from 'vitest';
import { aClaim, aKey, submit } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';

describe.each(databases)('the submission switch on %s', (dialect) => {
  it('R4.2: stops members and not admins, is seen by everyone who watches, and is in the log', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const member = new Watcher(app.url, { access_key: key.key_value });
    await member.connect();
    const answer = await app.api
      .put('/admin/config')
      .set(app.admin)
      .send({ submission_enabled: false })
      .expect(200);
    expect(answer.body.data.submission_enabled).toBe(0);
    await member.reached(app.ctx.bus.clock());
    expect([...member.records('config').values()]).toMatchObject([{ submission_enabled: 0 }]);
    expectRefusal(
      await submit(app, key, aClaim(key)),
      403,
      'claim.submissionDisabled',
      'Claim submission is currently disabled',
    );
    await app.api
      .post('/claims')
      .set(app.admin)
      .send({ admin_submission: true, claims: [aClaim(key)] })
      .expect(201);
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 1 }).expect(200);
    await submit(app, key, aClaim(key, { date: '2026-11-22' })).expect(201);
    const { body } = await app.api.get('/admin/activity-log?action=config_updated').set(app.admin);
    expect(body.data.logs[1].details).toEqual({
      changed: { submission_enabled: { from: 1, to: 0 } },
    });
  });

  it('refuses other values, and other callers', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const put = () => app.api.put('/admin/config');
    expectRefusal(
      await put().send({ submission_enabled: 0 }),
      401,
      'session.required',
      'Access denied',
    );
    expectRefusal(
      await put().set('X-Access-Key', key.key_value).send({ submission_enabled: 0 }),
      403,
      'session.adminOnly',
      'Access denied',
    );
    expectRefusal(
      await put().set(app.admin).send({ submission_enabled: 2 }),
      400,
      'request.invalid',
      'The field “submission_enabled” is not valid.',
    );
  });
});
