import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ClaimInput } from '../../../shared/schemas/claim.ts';
import { aClaim, aKey, aSpot, changeUnheard, submit } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { runNow } from '../../dev/test/jobs.ts';
import { createSuiteApp } from '../../dev/test/test-app.ts';
import { forgetAnswers } from './idempotency.ts';

describe.each(databases)('R4.11: a submission with an Idempotency-Key on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const once = (key: AccessKey, id: string, ...claims: Partial<ClaimInput>[]) =>
    submit(app, key, ...claims).set('Idempotency-Key', id);
  const storedOn = (respawn_id: number) =>
    app.ctx.db
      .selectFrom('claim_parts')
      .select('claim_id')
      .where('respawn_id', '=', respawn_id)
      .execute();

  it('is stored once and answered alike, however often it is sent', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const first = await once(key, 'a', aClaim(key, { respawn_id })).expect(201);
    await expectNoTick(app, async () => {
      for (let i = 0; i < 3; i++)
        expect((await once(key, 'a', aClaim(key, { respawn_id })).expect(201)).body).toEqual(
          first.body,
        );
    });
    expect(await storedOn(respawn_id)).toHaveLength(1);
  });

  it('is the same if its fields are in another order', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const first = await once(key, 'b', aClaim(key, { respawn_id })).expect(201);
    const { date = null, ...rest } = aClaim(key, { respawn_id });
    const body = {
      access_key: key.key_value,
      member_type: key.member_type,
      claims: [{ date, ...rest }],
    };
    const second = await app.api.post('/claims').set('Idempotency-Key', 'b').send(body).expect(201);
    expect(second.body).toEqual(first.body);
  });

  it('with another body is refused', async () => {
    const key = await aKey(app);
    await once(key, 'c', aClaim(key, { respawn_id: aSpot() })).expect(201);
    const answer = await expectNoTick(app, () =>
      once(key, 'c', aClaim(key, { respawn_id: aSpot(), date: '2026-11-22' })),
    );
    expectRefusal(
      answer,
      409,
      'request.idempotencyReused',
      'This Idempotency-Key was used for another request.',
      {},
    );
  });

  it('of another credential is another submission', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const respawn_id = aSpot();
    await once(key, 'd', aClaim(key, { respawn_id })).expect(201);
    const answer = await once(
      other,
      'd',
      aClaim(other, { respawn_id, hour_start: 14, hour_end: 16 }),
    ).expect(201);
    expect(answer.body.data[0].character_name).toBe(other.character_name);
    expect(await storedOn(respawn_id)).toHaveLength(2);
  });

  it('that arrives twice at the same moment is stored once, and both are answered alike', async () => {
    for (let round = 0; round < 5; round++) {
      const key = await aKey(app);
      const respawn_id = aSpot();
      const answers = await Promise.all(
        [1, 2, 3].map(() => once(key, 'e', aClaim(key, { respawn_id }))),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(answers.map(({ body }) => body)).toEqual(Array(3).fill(answers[0]?.body));
      expect(await storedOn(respawn_id)).toHaveLength(1);
    }
  });

  it('is answered alike even if submission was switched off and the spot disabled or deleted since', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const first = await once(key, 'j', aClaim(key, { respawn_id })).expect(201);
    const again = () => once(key, 'j', aClaim(key, { respawn_id })).expect(201);
    await app.api
      .put(`/admin/respawns/${respawn_id}`)
      .set(app.admin)
      .send({ is_enabled: 0 })
      .expect(200);
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 0 }).expect(200);
    expect((await again()).body).toEqual(first.body);
    expect((await once(key, 'k', aClaim(key, { respawn_id }))).body.code).toBe(
      'claim.submissionDisabled',
    );
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 1 }).expect(200);
    await app.api.delete(`/admin/respawns/${respawn_id}`).set(app.admin).expect(200);
    expect((await again()).body).toEqual(first.body);
  });

  it('that was refused is judged again', async () => {
    const key = await aKey(app);
    const holder = await aKey(app);
    const respawn_id = aSpot();
    const held = await submit(app, holder, aClaim(holder, { respawn_id })).expect(201);
    await once(key, 'f', aClaim(key, { respawn_id })).expect(409);
    await app.api.delete(`/admin/claims/${held.body.data[0].id}`).set(app.admin).expect(200);
    await once(key, 'f', aClaim(key, { respawn_id })).expect(201);
  });

  it('is answered alike to an admin, for the same token', async () => {
    const respawn_id = aSpot();
    const claims = [aClaim({ character_name: 'Somebody' }, { respawn_id })];
    const send = () =>
      app.api
        .post('/claims')
        .set(app.admin)
        .set('Idempotency-Key', 'g')
        .send({ claims, member_type: 'member', admin_submission: true });
    const first = await send().expect(201);
    expect((await send().expect(201)).body).toEqual(first.body);
    expect(await storedOn(respawn_id)).toHaveLength(1);
  });

  it('is forgotten after two days: the same claims then run into those that are stored', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const respawn_id = aSpot();
    const later = { date: '2026-11-28' };
    await once(key, 'h', aClaim(key, { respawn_id, ...later })).expect(201);
    app.setNow('2026-11-23T18:00:01.000Z');
    await once(other, 'h', aClaim(other, { respawn_id: aSpot(), ...later })).expect(201);
    expect((await once(key, 'h', aClaim(key, { respawn_id, ...later }))).body.code).toBe(
      'claim.characterHasClaim',
    );
  });

  it('counts no more after two days whether or not it was forgotten: a new one takes its place', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    await once(key, 'o', aClaim(key, { respawn_id })).expect(201);
    app.setNow('2026-11-23T18:00:01.000Z');
    const again = aClaim(key, { respawn_id, date: '2026-11-24' });
    const first = await once(key, 'o', again).expect(201);
    expect((await once(key, 'o', again).expect(201)).body).toEqual(first.body);
  });

  it('is forgotten some at a time', async () => {
    const old = Array.from({ length: 150 }, (_, n) => ({
      idempotency_key: `k${n}`,
      created_at: `2026-11-01T00:00:00.${100 + n}Z`,
    }));
    const rows = old.map((row) => ({
      ...row,
      credential_hash: 'c',
      request_hash: 'r',
      answer: '[]',
    }));
    await changeUnheard(app, (tx) => tx.insertInto('idempotent_answers').values(rows).execute());
    expect([
      await runNow(app, forgetAnswers),
      await runNow(app, forgetAnswers),
      await runNow(app, forgetAnswers),
    ]).toEqual(['more', 'done', 'not needed']);
  });

  it('whose key is longer than 255 characters is refused', async () => {
    const key = await aKey(app);
    const claim = aClaim(key, { respawn_id: aSpot() });
    const answer = await expectNoTick(app, () => once(key, 'i'.repeat(256), claim));
    expectRefusal(answer, 400, 'request.invalid', 'The field “Idempotency-Key” is not valid.', {
      field: 'Idempotency-Key',
    });
    await once(key, 'i'.repeat(255), claim).expect(201);
  });

  it('without the header is another submission each time', async () => {
    const key = await aKey(app);
    await submit(app, key, aClaim(key, { respawn_id: aSpot() })).expect(201);
    expect((await submit(app, key, aClaim(key, { respawn_id: aSpot() }))).body.code).toBe(
      'claim.characterHasClaim',
    );
  });
});
