import { describe, expect, it } from 'vitest';
import { omit } from '../../../shared/omit.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  aSpot,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, TODAY } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';

const GONE = 'There is no such member type.';

describe.each(databases)('a member type on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const post = (fields: object) => app.api.post('/admin/member-types').set(app.admin).send(fields);
  const put = (name: string, fields: object) =>
    app.api
      .put(`/admin/member-types/${encodeURIComponent(name)}`)
      .set(app.admin)
      .send(fields);
  const remove = (name: string) =>
    app.api.delete(`/admin/member-types/${encodeURIComponent(name)}`).set(app.admin);

  it('is created from its name alone, and everyone who watches knows it at once', async () => {
    const name = aName('Captain');
    const { member, expectSynced } = await watching(app);
    const record = {
      member_type: name,
      voucher_duration_hours: 4,
      can_submit: 1,
      earliest_submission_date: TODAY,
      allow_secondary_claims: 1,
      background_color: '#3182ce',
      is_system: 0,
      guild_ranks: [],
      max_hours_per_day: null,
      max_hours_per_event: null,
    };
    const entries = await owedBy(app, async () => {
      const { body } = await post({ member_type: `  ${name.replace(' ', '   ')} ` }).expect(201);
      expect(body).toEqual({ success: true, data: record });
    });
    const details = omit(record, 'is_system');
    expect(entries).toMatchObject([
      { action: 'member_type_created', admin_username: 'admin', details },
    ]);
    await expectSynced();
    expect(member.records('member_type').get(name)).toEqual(record);
  });

  it('is created with all its fields; flags may be true and false', async () => {
    const fields = {
      voucher_duration_hours: 24,
      earliest_submission_date: '2027-01-31',
      background_color: '#AbC',
      guild_ranks: ['Founder'],
    };
    const answer = await post({
      member_type: aName('type'),
      can_submit: false,
      allow_secondary_claims: true,
      ...fields,
    }).expect(201);
    expect(answer.body.data).toMatchObject({ ...fields, can_submit: 0, allow_secondary_claims: 1 });
  });

  it('has a budget of hours where it is given one, until it is taken away', async () => {
    const name = await aMemberType(app, { max_hours_per_day: 3, max_hours_per_event: 40 });
    expect((await put(name, { max_hours_per_event: null }).expect(200)).body.data).toMatchObject({
      max_hours_per_day: 3,
      max_hours_per_event: null,
    });
    await expectNoTick(app, async () => {
      const sentence = 'A budget must be a whole number of hours: at least 1, and at most 24 a day';
      for (const wrong of [0, -1, 1.5, 25, '3', true])
        expectRefusal(
          await put(name, { max_hours_per_day: wrong }),
          400,
          'memberType.budgetOutOfRange',
          sentence,
        );
      expectRefusal(
        await put(name, { max_hours_per_event: 24 * 366 + 1 }),
        400,
        'memberType.budgetOutOfRange',
        sentence,
      );
    });
    const { max_hours_per_day, max_hours_per_event } = (
      await put(name, { max_hours_per_day: 24 }).expect(200)
    ).body.data;
    expect([max_hours_per_day, max_hours_per_event]).toEqual([24, null]);
  });

  it('has a unique name, ignoring case', async () => {
    const name = await aMemberType(app);
    await expectNoTick(app, async () => {
      const sentence = `There is already a member type named ${name}.`;
      expectRefusal(
        await post({ member_type: ` ${name.toUpperCase()}` }),
        409,
        'memberType.nameExists',
        sentence,
        { name },
      );
      expectRefusal(
        await post({ member_type: 'Elite' }),
        409,
        'memberType.nameExists',
        'There is already a member type named elite.',
      );
      for (const missing of [undefined, '', '  ', null, 7]) {
        expectRefusal(
          await post({ member_type: missing }),
          400,
          'memberType.nameRequired',
          'Member type name is required',
        );
      }
      // No browser could ask for one again: it takes them for steps of a path.
      for (const step of ['.', ' .. ']) {
        expectRefusal(
          await post({ member_type: step }),
          400,
          'request.invalid',
          'The field “member_type” is not valid.',
        );
      }
    });
  });

  it('is refused with values out of bounds, when it is created and when it is edited', async () => {
    const name = await aMemberType(app);
    const hours = 'The voucher duration must be between 1 and 24 hours';
    const color = 'The colour must be a hex colour of 3 or 6 digits';
    const invalid = (field: string): string => `The field “${field}” is not valid.`;
    await expectNoTick(app, async () => {
      for (const ask of [
        (fields: object) => post({ member_type: 'Other', ...fields }),
        (fields: object) => put(name, fields),
      ]) {
        for (const voucher_duration_hours of [0, 25, 1.5, '4', null]) {
          expectRefusal(
            await ask({ voucher_duration_hours }),
            400,
            'memberType.durationOutOfRange',
            hours,
          );
        }
        for (const background_color of ['red', '#12', '#1234', '#12345g', '3182ce', null]) {
          expectRefusal(await ask({ background_color }), 400, 'memberType.colorInvalid', color);
        }
        expectRefusal(await ask({ can_submit: 2 }), 400, 'request.invalid', invalid('can_submit'));
        const someday = await ask({ earliest_submission_date: '2026-02-30' });
        expectRefusal(someday, 400, 'request.invalid', invalid('earliest_submission_date'));
        expectRefusal(
          await ask({ guild_ranks: ['Leader', ' '] }),
          400,
          'request.invalid',
          invalid('guild_ranks.1'),
        );
      }
    });
  });

  it('changes the given fields, found ignoring case, and the log has old and new values', async () => {
    const name = await aMemberType(app, { background_color: '#123456' });
    const { member, expectSynced } = await watching(app);
    const before = (await app.api.get('/member-types')).body.data.find(
      (each: { member_type: string }) => each.member_type === name,
    );
    const entries = await owedBy(app, async () => {
      const { body } = await put(name.toUpperCase(), {
        voucher_duration_hours: 6,
        can_submit: 1,
        member_type: 'Other',
      }).expect(200);
      expect(body.data).toEqual({ ...before, voucher_duration_hours: 6 });
    });
    const changed = { voucher_duration_hours: { from: 4, to: 6 } };
    expect(entries.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'member_type_updated', details: { member_type: name, changed } },
    ]);
    await expectSynced();
    expect(member.records('member_type').get(name)).toEqual({
      ...before,
      voucher_duration_hours: 6,
    });
  });

  it('that nothing changes of writes nothing', async () => {
    const name = await aMemberType(app, { guild_ranks: ['Scout'] });
    await expectNoTick(app, async () => {
      await put(name, {}).expect(200);
      await put(name, {
        voucher_duration_hours: 4,
        can_submit: true,
        guild_ranks: [' Scout'],
      }).expect(200);
    });
  });

  it('R4.3, R4.5: judges the next submission of its members as it is then', async () => {
    const name = await aMemberType(app);
    const key = await aKey(app, aName(), name);
    await put(name, { voucher_duration_hours: 2 }).expect(200);
    await submit(app, key, aClaim(key, { respawn_id: aSpot() })).expect(400);
    await put(name, { can_submit: 0 }).expect(200);
    const two = aClaim(key, { respawn_id: aSpot(), hour_end: 12 });
    expect((await submit(app, key, two)).body.code).toBe('claim.typeMayNotSubmit');
    await put(name, { can_submit: 1 }).expect(200);
    await submitted(app, key, two);
  });

  it('R4.9: that is deleted leaves its keys and claims, counts them, and they mean the fallback', async () => {
    const name = await aMemberType(app, { voucher_duration_hours: 2, can_submit: 0 });
    const key = await aKey(app, aName(), name);
    await aKey(app, aName(), name);
    const { member, expectSynced } = await watching(app);
    await put(name, { can_submit: 1 }).expect(200);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot(), hour_end: 12 }));
    const entries = await owedBy(app, async () => {
      expect((await remove(name.toUpperCase()).expect(200)).body).toEqual({ success: true });
    });
    expect(entries).toMatchObject([
      { action: 'member_type_deleted', details: { member_type: name, access_keys: 2, claims: 1 } },
    ]);
    await expectSynced();
    expect(member.records('member_type').has(name)).toBe(false);
    const [claim] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), date: '2026-11-22' }),
    );
    expect(claim).toMatchObject({ member_type: name, voucher_duration: 4 });
  });

  it('of the system cannot be deleted', async () => {
    await expectNoTick(app, async () => {
      for (const name of ['member', 'Elite', 'VICE']) {
        expectRefusal(
          await remove(name),
          403,
          'memberType.isSystem',
          'System member types cannot be deleted.',
          {},
        );
      }
    });
  });

  it('that is none is 404, also after it was deleted', async () => {
    const name = await aMemberType(app);
    await remove(name).expect(200);
    await expectNoTick(app, async () => {
      for (const none of [name, 'constructor', 'a/b']) {
        expectRefusal(await remove(none), 404, 'memberType.notFound', GONE, {});
        expectRefusal(await put(none, { can_submit: 1 }), 404, 'memberType.notFound', GONE, {});
      }
    });
  });

  it('is the only one that a guild rank earns', async () => {
    const name = await aMemberType(app, { guild_ranks: ['Vice  Leader', 'Sergeant', 'SERGEANT'] });
    const { data } = (await app.api.get('/member-types')).body;
    const { guild_ranks } = data.find((each: { member_type: string }) => each.member_type === name);
    expect(guild_ranks).toEqual(['Vice Leader', 'SERGEANT']);
    const sentence = `The guild rank Vice Leader already gives the member type ${name}.`;
    const params = { rank: 'Vice Leader', member_type: name };
    await expectNoTick(app, async () => {
      const another = await post({
        member_type: aName('type'),
        guild_ranks: ['Rookie', ' vice leader'],
      });
      expectRefusal(another, 409, 'memberType.rankTaken', sentence, params);
      expectRefusal(
        await put('elite', { guild_ranks: ['VICE LEADER'] }),
        409,
        'memberType.rankTaken',
        sentence,
        params,
      );
    });
    await put(name, { guild_ranks: ['vice leader', 'Recruit'] }).expect(200);
    await put('elite', { guild_ranks: ['Sergeant'] }).expect(200);
    await remove(name).expect(200);
    await put('elite', { guild_ranks: ['Vice Leader'] }).expect(200);
  });
});
