import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  aSpot,
  asMember,
  ban,
  change,
  disableRespawn,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, NOW, TODAY } from '../../dev/test/test-app.ts';

describe.each(databases)('a member’s submission on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('is answered with the claim as the board shows it', async () => {
    const key = await aKey(app, 'Bubble');
    const [row] = await submitted(app, key, aClaim(key, { respawn_id: 1 }));
    expect(row).toEqual({
      id: expect.any(Number),
      event_id: null,
      character_name: 'Bubble',
      member_type: 'member',
      date: TODAY,
      respawn_id: 1,
      respawn_name: 'Boosted Creature',
      respawn_image: 'boosted-creature.gif',
      respawn_image_url: '/assets/respawns/boosted-creature.gif',
      category_id: 1,
      category_name: 'General',
      hour_start: 10,
      hour_end: 14,
      custom_duration: null,
      voucher_duration: 4,
      is_secondary_claim: 0,
      secondary_priority: 0,
      is_split_claim: 0,
      split_parts: [],
      split_group_id: null,
      split_part_number: null,
      created_at: NOW,
      is_held: 0,
      held_until: null,
      to_confirm: [],
      standing_id: null,
    });
  });

  it('R4.1: for another character is refused', async () => {
    const key = await aKey(app);
    const claim = aClaim({ character_name: 'Somebody Else' }, { respawn_id: aSpot() });
    const answer = await expectNoTick(app, () => submit(app, key, claim));
    expectRefusal(
      answer,
      403,
      'claim.otherCharacter',
      'You can only submit claims for your own character.',
      {},
    );
  });

  it('R1.1, R4.1: may write the own name in any case, and is stored as the key has it', async () => {
    const name = aName('Eternal');
    const key = await aKey(app, name);
    const [row] = await submitted(
      app,
      key,
      aClaim(
        { character_name: `  ${name.toUpperCase().replace(' ', '   ')} ` },
        { respawn_id: aSpot() },
      ),
    );
    expect(row?.character_name).toBe(name);
  });

  it('R4.1: takes type and voucher from the key, not from the request', async () => {
    const key = await aKey(app);
    const claim = aClaim(key, { respawn_id: aSpot(), hour_end: null, voucher_duration: 24 });
    const body = { claims: [claim], member_type: 'vice', access_key: key.key_value };
    const answer = await app.api.post('/claims').send(body).expect(201);
    expect(answer.body.data[0]).toMatchObject({
      member_type: 'member',
      voucher_duration: 4,
      hour_end: 14,
    });
  });

  it('accepts the key in the header or the body, in small letters too', async () => {
    const one = await aKey(app);
    const other = await aKey(app);
    await app.api
      .post('/claims')
      .set(asMember(one))
      .send({ claims: [aClaim(one, { respawn_id: aSpot() })] })
      .expect(201);
    const access_key = ` ${other.key_value.toLowerCase()}`;
    await app.api
      .post('/claims')
      .send({ claims: [aClaim(other, { respawn_id: aSpot() })], access_key })
      .expect(201);
  });

  it('without a key, with a wrong, a revoked or a banned one is refused', async () => {
    const revoked = await aKey(app);
    const banned = await aKey(app);
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    await ban(app, banned);
    const claims = [aClaim(revoked, { respawn_id: aSpot() })];
    await expectNoTick(app, async () => {
      expectRefusal(
        await app.api.post('/claims').send({ claims }),
        401,
        'session.required',
        'Access denied',
        {},
      );
      const wrong = await app.api.post('/claims').send({ claims, access_key: 'AAAA-BBBB-CCCC' });
      expectRefusal(wrong, 401, 'session.invalidKey', 'Invalid access key', {});
      const reason = 'This access key has been revoked. Please contact an admin.';
      expectRefusal(await submit(app, revoked, ...claims), 403, 'session.keyRevoked', reason, {});
      const bannedReason = 'This character is banned. Please contact an admin.';
      expectRefusal(
        await submit(app, banned, aClaim(banned, { respawn_id: aSpot() })),
        403,
        'session.banned',
        bannedReason,
        {},
      );
    });
  });

  it('as an admin is refused to a member and to a visitor', async () => {
    const key = await aKey(app);
    const body = {
      claims: [aClaim(key, { respawn_id: aSpot() })],
      admin_submission: true,
      access_key: key.key_value,
    };
    await expectNoTick(app, async () => {
      expectRefusal(
        await app.api.post('/claims').send(body),
        401,
        'session.required',
        'Access denied',
        {},
      );
      expectRefusal(
        await app.api.post('/claims').set(asMember(key)).send(body),
        403,
        'session.adminOnly',
        'Access denied',
        {},
      );
    });
  });

  it.each([
    [{ claims: undefined }, 'claim.fieldsRequired', 'Please fill in all required fields'],
    [{ claims: 'all' }, 'claim.fieldsRequired', 'Please fill in all required fields'],
    [{ claims: [] }, 'claim.datesRequired', 'Please ensure all dates are filled'],
    [{ respawn_id: undefined }, 'claim.selectRespawn', 'Please select a respawn'],
    [{ respawn_id: 0 }, 'claim.selectRespawn', 'Please select a respawn'],
    [{ respawn_id: '7' }, 'claim.selectRespawn', 'Please select a respawn'],
    [{ respawn_id: 3_000_000_000 }, 'claim.selectRespawn', 'Please select a respawn'],
    [{ character_name: '   ' }, 'character.nameRequired', 'Character name is required'],
    [{ date: null }, 'claim.datesRequired', 'Please ensure all dates are filled'],
    [{ date: '21.11.2026' }, 'claim.datesRequired', 'Please ensure all dates are filled'],
    [{ date: '2026-02-30' }, 'claim.datesRequired', 'Please ensure all dates are filled'],
    [{ date: '0000-01-01' }, 'claim.datesRequired', 'Please ensure all dates are filled'],
    [{ hour_start: undefined }, 'claim.fieldsRequired', 'Please fill in all required fields'],
  ] as const)('with %j is refused', async (fields, code, sentence) => {
    const key = await aKey(app);
    const body = 'claims' in fields ? fields : { claims: [{ ...aClaim(key), ...fields }] };
    const answer = await expectNoTick(app, () =>
      app.api.post('/claims').send({ ...body, access_key: key.key_value }),
    );
    expectRefusal(answer, 400, code, sentence);
  });

  it('with more claims than any form sends is refused', async () => {
    const key = await aKey(app);
    const answer = await submit(app, key, ...Array(801).fill(aClaim(key))).set(asMember(key));
    expectRefusal(answer, 400, 'claim.tooMany', 'Too many claims for one submission.');
  });

  it('R4.3: of a type that may not submit is refused', async () => {
    const key = await aKey(app, aName(), await aMemberType(app, { can_submit: 0 }));
    const answer = await expectNoTick(app, () =>
      submit(app, key, aClaim(key, { respawn_id: aSpot() })),
    );
    expectRefusal(
      answer,
      403,
      'claim.typeMayNotSubmit',
      'Claim submission is currently disabled',
      {},
    );
  });

  it('R4.4: before the earliest date of its type is refused, and taken from that server-save date on', async () => {
    const key = await aKey(
      app,
      aName(),
      await aMemberType(app, { earliest_submission_date: '2026-11-22' }),
    );
    const claim = aClaim(key, { respawn_id: aSpot(), date: '2026-11-22' });
    // 00:59 Pacific time of the 22nd is SS+23 of the 21st still.
    app.setNow('2026-11-22T08:59:59.000Z');
    const answer = await expectNoTick(app, () => submit(app, key, claim));
    expectRefusal(
      answer,
      403,
      'claim.beforeEarliestDate',
      'Your member type can submit claims from 2026-11-22.',
      {
        date: '2026-11-22',
      },
    );
    app.setNow('2026-11-22T09:00:00.000Z');
    await submit(app, key, claim).expect(201);
  });

  it('R4.9: of a type that no longer exists lasts four hours, and no longer', async () => {
    const type = await aMemberType(app, { voucher_duration_hours: 8 });
    const key = await aKey(app, aName(), type);
    await change(app, ({ tx }) =>
      tx.deleteFrom('member_types').where('member_type', '=', type).execute(),
    );
    const spot = aSpot();
    const tooLong = await submit(app, key, aClaim(key, { respawn_id: spot, hour_end: 15 }));
    expectRefusal(tooLong, 400, 'claim.durationOutOfRange', 'A claim can last 1 to 4 h.', {
      max: 4,
    });
    const [row] = await submitted(app, key, aClaim(key, { respawn_id: spot, hour_end: null }));
    expect(row).toMatchObject({ member_type: type, hour_end: 14, voucher_duration: 4 });
  });

  it('R4.10: for a disabled or deleted respawn is refused', async () => {
    const key = await aKey(app);
    await disableRespawn(app, 100);
    const { name } = await app.ctx.db
      .selectFrom('respawns')
      .select('name')
      .where('id', '=', 100)
      .executeTakeFirstOrThrow();
    await expectNoTick(app, async () => {
      const disabled = await submit(app, key, aClaim(key, { respawn_id: 100 }));
      expectRefusal(
        disabled,
        409,
        'respawn.disabled',
        `${name} is disabled and can't be claimed.`,
        { respawn_name: name },
      );
      const gone = await submit(app, key, aClaim(key, { respawn_id: 99_999 }));
      expectRefusal(gone, 404, 'respawn.notFound', 'This spot no longer exists.', {
        respawn_id: 99_999,
      });
    });
  });
});

describe.each(databases)('while submission is disabled on %s', (dialect) => {
  it('R4.2: members are refused, and the configuration says so', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await change(app, ({ tx }) =>
      tx.updateTable('config').set({ submission_enabled: 0 }).execute(),
    );
    const answer = await expectNoTick(app, () => submit(app, key, aClaim(key)));
    expectRefusal(
      answer,
      403,
      'claim.submissionDisabled',
      'Claim submission is currently disabled',
      {},
    );
    expect((await app.api.get('/config')).body.submission_enabled).toBe(0);
    const body = { claims: [aClaim(key)], member_type: 'member', admin_submission: true };
    await app.api.post('/claims').set(app.admin).send(body).expect(201);
  });
});
