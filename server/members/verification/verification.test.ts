import { describe, expect, it } from 'vitest';
import type { PendingCode } from '../../../shared/schemas/character.ts';
import { latest } from '../../activity/test/undo.ts';
import { onBehalfOf } from '../../db/write-queue.ts';
import { aClaim, aKey, aMemberType, asMember, ban, submitted } from '../../dev/test/builders.ts';
import { databases, freshDatabase, usualDatabases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { runNow } from '../../dev/test/jobs.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { checkVerification } from './check-verification.ts';
import { forgetCodes } from './codes.ts';
import { GARBAGE, HANG_UP, MAINTENANCE, RATE_LIMITED } from './test/game-data.ts';
import {
  aCode,
  actions,
  asAdmin,
  check,
  checked,
  records,
  setSeconds,
  startGameData,
  verified,
  verifying,
} from './test/verify.ts';

const BANNED = 'This character is banned. Please contact an admin.';
const REVOKED = 'This access key has been revoked. Please contact an admin.';
const EXPIRED = 'Verification code expired. Please generate a new code.';
const TOMORROW = '2026-11-22T18:00:00.000Z';
const HOUR = 3_600;

describe.each(databases)('a verification code on %s', (dialect) => {
  it('is returned with its expiry, instructions and a token, and the character is not looked up', async () => {
    const { app, data } = await verifying(dialect);
    const answer = await app.api
      .post('/generate-verification-code')
      .send({ character_name: '  bubble   GUM ' })
      .expect(201);
    const { code } = answer.body.data;
    expect(answer.body).toEqual({
      success: true,
      data: {
        code: expect.stringMatching(/^CLAIM-[2-9A-HJKMNP-Z]{8}$/),
        expiresAt: TOMORROW,
        instructions: `Put ${code} in the comment of bubble GUM on the game's website and save it, then start the check. The game's data can lag by a few minutes. The code is valid for 24 hours.`,
        verification_token: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(data.requests).toEqual([]);
    expect(await records(app)).toEqual([
      {
        id: expect.any(Number),
        character_name: 'bubble GUM',
        code,
        access_key: null,
        access_member_type: null,
        member_type: 'member',
        created_at: NOW,
        verified_at: null,
        access_revoked: 0,
        banned: 0,
      },
    ]);
    expect((await actions(app))[0]).toMatchObject({
      action: 'verification_started',
      admin_username: null,
      details: { character_name: 'bubble GUM' },
    });
  });

  it('is stored with the hash of its token, and tokens are never sent out', async () => {
    const { app } = await verifying(dialect);
    const { verification_token } = await aCode(app);
    const stored = JSON.stringify([
      await app.ctx.db.selectFrom('verifications').selectAll().execute(),
      await app.ctx.db.selectFrom('changes').selectAll().execute(),
      await actions(app),
    ]);
    expect(stored).toContain('Bubble');
    expect(stored).not.toContain(verification_token);
  });

  it('may be held by several people for one name', async () => {
    const { app } = await verifying(dialect);
    const codes = [await aCode(app), await aCode(app, 'BUBBLE'), await aCode(app)].map(
      ({ code }) => code,
    );
    expect(new Set(codes).size).toBe(3);
    expect(await records(app)).toHaveLength(3);
  });

  it('is refused for an invalid character’s name, and nothing is written', async () => {
    const { app } = await verifying(dialect);
    const ask = (character_name?: unknown) =>
      app.api.post('/generate-verification-code').send({ character_name });
    await expectNoTick(app, async () => {
      for (const name of [undefined, '', '   ', '\u200b\u202e\u2060', null, 7, ['Bubble']]) {
        expectRefusal(
          await ask(name),
          400,
          'character.nameRequired',
          'Character name is required',
          { field: 'character_name' },
        );
      }
      const cyrillic = 'Bubblе';
      const names = [
        'B',
        'Bubble 2',
        'B'.repeat(30),
        "'Bubble",
        '-Bubble',
        '..',
        '.b',
        'a/b',
        'a%b',
        'Bub_ble',
        '泡泡',
        'مرحبا',
        'A'.repeat(200),
        cyrillic,
      ];
      for (const name of names) {
        const sentence = 'This is not a valid character name.';
        expectRefusal(await ask(name), 400, 'character.nameInvalid', sentence, {
          field: 'character_name',
        });
      }
    });
  });

  it('is given for every name that the game gives, tidied', async () => {
    const { app } = await verifying(dialect);
    const names = [
      ['Io', 'Io'],
      ["Elder O'Bok", "Elder O'Bok"],
      ['Elder O’Ban', "Elder O'Ban"],
      ['Li-Ho  Crue', 'Li-Ho Crue'],
      ['Na\u0308urin', 'Näurin'],
      [' Mr. Smith', 'Mr. Smith'],
      ['Vaelin,  of Ash', 'Vaelin, of Ash'],
      // Direction marks and characters of no width are removed.
      ['\u202eArden\u200b \u2066Vale\u2069', 'Arden Vale'],
      ['B'.repeat(29), 'B'.repeat(29)],
    ] as const;
    for (const [typed] of names) await aCode(app, typed);
    expect((await records(app)).map((record) => record.character_name).reverse()).toEqual(
      names.map(([, stored]) => stored),
    );
  });

  it('is refused to a banned character, ignoring case', async () => {
    const { app } = await verifying(dialect);
    await ban(app, { character_name: 'Bubble' });
    await expectNoTick(app, async () => {
      expectRefusal(
        await app.api.post('/generate-verification-code').send({ character_name: 'bUBBLE ' }),
        403,
        'session.banned',
        BANNED,
        {},
      );
    });
  });

  it('that was not found is deleted after ten days', async () => {
    const { app } = await verifying(dialect);
    await aCode(app, 'Forgotten');
    setSeconds(app, 10 * 24 * HOUR);
    await aCode(app, 'Kept');
    expect(await runNow(app, forgetCodes)).toBe('not needed');
    expect(await records(app)).toHaveLength(2);
    setSeconds(app, 10 * 24 * HOUR + 1);
    expect(await runNow(app, forgetCodes)).toBe('done');
    expect((await records(app)).map((record) => record.character_name)).toEqual(['Kept']);
  });
});

describe.each(databases)('the check of a code on %s', (dialect) => {
  it('gives the key to the browser that asked for the code, once the code is in the comment', async () => {
    const { app, data } = await verifying(dialect);
    const { code, verification_token } = await aCode(app, 'bubble');
    data.show({ name: 'Bubble', comment: `Knight of Thais\n${code.toLowerCase()}!` });
    const answer = await check(app, 'BUBBLE', verification_token).expect(200);
    expect(answer.body).toEqual({
      success: true,
      data: {
        verified: true,
        characterName: 'Bubble',
        memberType: 'member',
        accessKey: expect.stringMatching(/^[\w]{4}-[\w]{4}-[\w]{4}$/),
      },
    });
    const { accessKey } = answer.body.data;
    expect(
      (await app.api.post('/validate-access-key').send({ accessKey }).expect(200)).body.data,
    ).toEqual({
      valid: true,
      characterName: 'Bubble',
      memberType: 'member',
    });
    expect(await records(app)).toMatchObject([
      {
        character_name: 'Bubble',
        code,
        access_key: accessKey,
        access_member_type: 'member',
        verified_at: NOW,
        access_revoked: 0,
        banned: 0,
      },
    ]);
    const [key] = (await app.api.get('/admin/access-keys').set(app.admin)).body.data;
    expect(key).toMatchObject({
      character_name: 'Bubble',
      key_value: accessKey,
      created_by_username: null,
    });
    expect((await actions(app))[0]).toMatchObject({
      action: 'user_verified',
      admin_username: null,
      details: { character_name: 'Bubble', member_type: 'member', key: 'new' },
    });
    expect(JSON.stringify(await actions(app))).not.toContain(accessKey);
  });

  it('never gives the key to another browser that polls the same name, before, while or after', async () => {
    const { app, data } = await verifying(dialect);
    data.show({ name: 'Bubble', comment: 'nothing yet' });
    const { code, verification_token } = await aCode(app);
    const stranger = await aCode(app);
    const strangers = [
      undefined,
      stranger.verification_token,
      'made-up',
      '',
      verification_token.toLowerCase(),
    ];
    const seen: unknown[] = [];
    const poll = async (): Promise<void> => {
      seen.push(
        ...(await Promise.all(
          strangers.map(async (token) => (await check(app, 'Bubble', token)).body),
        )),
      );
    };
    await poll();
    setSeconds(app, 60);
    data.show({ name: 'Bubble', comment: code });
    const [{ accessKey }] = await Promise.all([checked(app, 'Bubble', verification_token), poll()]);
    await poll();
    expect(accessKey).toBeDefined();
    expect(JSON.stringify(seen)).not.toContain(accessKey);
    expect(await checked(app, 'Bubble')).toEqual({ verified: true, characterName: 'Bubble' });
    expect(await checked(app, 'Bubble', 'made-up')).toEqual({
      verified: true,
      characterName: 'Bubble',
    });
    // The holder of a code that was not found stays unverified.
    expect(await checked(app, 'Bubble', stranger.verification_token)).toMatchObject({
      verified: false,
      reason: 'verification.codeNotFound',
    });
  });

  it('finds the code also when only strangers ask, and its browser gets the key later', async () => {
    const { app, data } = await verifying(dialect);
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code });
    expect(await checked(app, 'bubble')).toEqual({ verified: true, characterName: 'bubble' });
    expect((await checked(app, 'Bubble', verification_token)).accessKey).toBeDefined();
  });

  it('does not accept one name’s token for another’s', async () => {
    const context = await verifying(dialect);
    const { accessKey } = await verified(context, 'Bubble');
    setSeconds(context.app, 1);
    const other = await verified(context, 'Cachero');
    expect(await checked(context.app, 'Bubble', other.verification_token)).toEqual({
      verified: true,
      characterName: 'Bubble',
    });
    expect(accessKey).not.toBe(other.accessKey);
  });

  it('returns the same key when an answer was lost, until the code expires after 24 hours', async () => {
    const context = await verifying(dialect);
    const { app } = context;
    const { accessKey, verification_token } = await verified(context);
    await expectNoTick(app, async () => {
      expect(await checked(app, 'Bubble', verification_token)).toMatchObject({ accessKey });
      setSeconds(app, 24 * HOUR - 1);
      expect(await checked(app, 'Bubble', verification_token)).toMatchObject({ accessKey });
      setSeconds(app, 24 * HOUR);
      expect(await checked(app, 'Bubble', verification_token)).toEqual({
        verified: true,
        characterName: 'Bubble',
      });
    });
  });

  it('says that the code is not there yet, how old the data is and when it is looked at again', async () => {
    const { app, data } = await verifying(dialect);
    data.show({ name: 'Bubble', comment: 'CLAIM-AAAAAAAA' }, { Age: '100' });
    const { verification_token } = await aCode(app);
    await expectNoTick(app, async () => {
      expect(await checked(app, 'Bubble', verification_token)).toEqual({
        verified: false,
        characterName: 'Bubble',
        reason: 'verification.codeNotFound',
        checkedAt: '2026-11-21T17:58:20.000Z',
        nextCheckAt: '2026-11-21T18:03:20.000Z',
      });
    });
  });

  it('ends with the code: expired codes are refused, and found in a comment they verify nothing', async () => {
    const { app, data } = await verifying(dialect);
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code });
    setSeconds(app, 24 * HOUR);
    await expectNoTick(app, async () => {
      expectRefusal(
        await check(app, 'Bubble', verification_token),
        409,
        'verification.expired',
        EXPIRED,
        {},
      );
      expect(await checked(app, 'Bubble')).toEqual({ verified: false, characterName: 'Bubble' });
    });
    expect(data.requests).toEqual([]);
    // A check with a token of no code ends; without a token it learns no reason, as above.
    const ended = { verified: false, characterName: 'Bubble', reason: 'verification.notFound' };
    expect(await checked(app, 'Bubble', 'token-of-no-code')).toEqual(ended);
    const fresh = await aCode(app);
    expect(await checked(app, 'Bubble', fresh.verification_token)).toMatchObject({
      verified: false,
    });
    expectRefusal(
      await check(app, 'Bubble', verification_token),
      409,
      'verification.expired',
      EXPIRED,
      {},
    );
  });

  it('needs a name', async () => {
    const { app } = await verifying(dialect);
    for (const body of [{}, { characterName: ' ' }, { characterName: 7 }]) {
      const answer = await app.api.post('/check-verification').send(body);
      expectRefusal(answer, 400, 'character.nameRequired', 'Character name is required', {
        field: 'characterName',
      });
    }
    const odd = await app.api
      .post('/check-verification')
      .send({ characterName: 'Bubble', verification_token: 7 });
    expectRefusal(odd, 400, 'request.invalid', 'The field “verification_token” is not valid.', {
      field: 'verification_token',
    });
  });

  it('looks up no character without a pending code', async () => {
    const { app, data } = await verifying(dialect);
    data.show({ name: 'Bubble' });
    await aKey(app, 'Cachero');
    await aCode(app, 'Somebody Else');
    await expectNoTick(app, async () => {
      expect(await checked(app, 'Bubble')).toEqual({ verified: false, characterName: 'Bubble' });
      expect(await checked(app, 'Cachero', 'made-up')).toEqual({
        verified: true,
        characterName: 'Cachero',
      });
    });
    expect(data.requests).toEqual([]);
  });

  it('is made once per pacing interval for twenty browsers that poll one name, with any token', async () => {
    const { app, data } = await verifying(dialect, { CHARACTER_CHECK_SECONDS: '30' });
    data.show({ name: 'Bubble', comment: 'nothing yet' });
    const held: PendingCode[] = [];
    // One address gets five a minute for one name.
    for (const seconds of [-60, 0]) {
      setSeconds(app, seconds);
      held.push(...(await Promise.all(Array.from({ length: 5 }, () => aCode(app)))));
    }
    const tokens = [
      ...held.map(({ verification_token }) => verification_token),
      ...Array.from({ length: 10 }, () => undefined),
    ];
    const interval = 30;
    let polls = 0;
    // The first and the last second of an interval, and one within.
    for (const begins of [0, interval]) {
      for (const seconds of [begins, begins + 15, begins + interval - 1]) {
        setSeconds(app, seconds);
        await Promise.all(tokens.map((token) => checked(app, 'Bubble', token)));
        polls += tokens.length;
        expect(data.requests.length).toBe(1 + begins / interval);
      }
    }
    expect({ polls, requests: data.requests.length }).toEqual({ polls: 120, requests: 2 });
  });

  it('stores the results of twenty browsers in one write', async () => {
    const { app, data } = await verifying(dialect);
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code });
    const before = app.ctx.bus.clock();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        checked(app, 'Bubble', i % 2 ? verification_token : undefined),
      ),
    );
    expect(answers.filter((answer) => answer.accessKey !== undefined)).toHaveLength(10);
    expect(new Set(answers.map((answer) => answer.accessKey)).size).toBe(2);
    expect(app.ctx.bus.clock()).toBe(before + 1);
  });

  it('stores the results of several although the first browser has gone', async () => {
    const { app, data } = await verifying(dialect);
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code });
    const checkFor = (is_gone: boolean) =>
      onBehalfOf({ name: 'address 1.2.3.4', gone: () => is_gone }, () =>
        checkVerification(app.ctx, { characterName: 'Bubble', verification_token }, 'hash'),
      );
    const answers = await Promise.all([checkFor(true), checkFor(false)]);
    for (const { accessKey } of answers) expect(accessKey).toEqual(expect.any(String));
  });
});

describe.each(usualDatabases)('the game’s data of a character on %s', (dialect) => {
  it.each([
    ['maintenance', MAINTENANCE],
    ['rate limiting', RATE_LIMITED],
    ['garbage', GARBAGE],
    ['a broken connection', HANG_UP],
  ])('%s keeps the code pending and says so; the check continues', async (_, failure) => {
    const { app, data } = await verifying(dialect);
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code });
    data.failWith(failure);
    await expectNoTick(app, async () => {
      expect(await checked(app, 'Bubble', verification_token)).toEqual({
        verified: false,
        characterName: 'Bubble',
        reason: 'verification.sourceFailed',
        checkedAt: NOW,
        nextCheckAt: '2026-11-21T18:01:00.000Z',
      });
      expect(await checked(app, 'Bubble')).toEqual({ verified: false, characterName: 'Bubble' });
    });
    data.failWith(null);
    setSeconds(app, 60);
    expect((await checked(app, 'Bubble', verification_token)).accessKey).toBeDefined();
    expect(data.requests).toHaveLength(2);
  });

  it('a pending code is answered with the name as the game spells it', async () => {
    const { app, data } = await verifying(dialect);
    const { verification_token } = await aCode(app, 'bubble OF venore');
    data.show({ name: 'Bubble of Venore', comment: 'nothing yet' });
    expect(await checked(app, 'bubble OF venore', verification_token)).toMatchObject({
      verified: false,
      characterName: 'Bubble of Venore',
      reason: 'verification.codeNotFound',
    });
  });

  it.each(["Elder O'Ban", 'Elder O’Ban', 'elder o´ban', ' Elder  O\u200b`Ban '])(
    'is verified by the name typed as %j',
    async (typed) => {
      const { app, data } = await verifying(dialect);
      const { code, verification_token } = await aCode(app, 'Elder O’Ban');
      data.show({ name: "Elder O'Ban", comment: code });
      expect(await checked(app, typed, verification_token)).toMatchObject({
        verified: true,
        characterName: "Elder O'Ban",
      });
    },
  );

  it("a missing character is reported only to the code's holder", async () => {
    const { app } = await verifying(dialect);
    const { verification_token } = await aCode(app, 'Nobody');
    await expectNoTick(app, async () => {
      const params = { character_name: 'Nobody' };
      expectRefusal(
        await check(app, 'Nobody', verification_token),
        404,
        'character.notFound',
        'There is no character named Nobody.',
        params,
      );
      expect(await checked(app, 'Nobody')).toEqual({ verified: false, characterName: 'Nobody' });
    });
  });

  it('a renamed character, or one about to be deleted, is not verified', async () => {
    const { app, data } = await verifying(dialect);
    const former = await aCode(app, 'Old Name');
    data.show({ name: 'Old Name', comment: former.code });
    data.failWith((res) => {
      const answer = {
        character: { character: { name: 'New Name', comment: former.code } },
        information: { status: { http_code: 200 } },
      };
      res.writeHead(200).end(JSON.stringify(answer));
    });
    expectRefusal(
      await check(app, 'Old Name', former.verification_token),
      409,
      'character.renamed',
      'Old Name is now called New Name. Generate a code for that name.',
      { character_name: 'Old Name', new_name: 'New Name' },
    );
    data.failWith(null);
    setSeconds(app, 60);
    const doomed = await aCode(app, 'Doomed');
    data.show({ name: 'Doomed', comment: doomed.code, deletion_date: '2026-12-21T18:00:00Z' });
    const sentence = "This character is scheduled for deletion, so it can't be verified.";
    expectRefusal(
      await check(app, 'Doomed', doomed.verification_token),
      403,
      'verification.deletedCharacter',
      sentence,
      {},
    );
    expect((await app.api.get('/admin/access-keys').set(app.admin)).body.data).toEqual([]);
  });

  it('only members of the guild verify, and may once they have joined it', async () => {
    const { app, data } = await verifying(dialect, { GUILD_NAME: 'Red Rose' });
    const { code, verification_token } = await aCode(app);
    const sentence = 'Only members of Red Rose can verify a character here.';
    for (const [at, guild] of [{}, { name: 'Blue Rose', rank: 'Leader' }].entries()) {
      setSeconds(app, at * 60);
      data.show({ name: 'Bubble', comment: code, guild });
      await expectNoTick(app, async () => {
        expectRefusal(
          await check(app, 'Bubble', verification_token),
          403,
          'verification.notInGuild',
          sentence,
          { guild_name: 'Red Rose' },
        );
        expect(await checked(app, 'Bubble')).toEqual({ verified: false, characterName: 'Bubble' });
      });
    }
    setSeconds(app, 120);
    data.show({ name: 'Bubble', comment: code, guild: { name: 'RED  rose', rank: 'Newcomer' } });
    expect(await checked(app, 'Bubble', verification_token)).toMatchObject({
      verified: true,
      memberType: 'member',
    });
  });

  it('a rank in the guild earns the member type that lists it', async () => {
    const { app, data } = await verifying(dialect, { GUILD_NAME: 'Red Rose' });
    const officer = await aMemberType(app, { guild_ranks: ['Leader', 'Vice Leader'] });
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code, guild: { name: 'Red Rose', rank: 'vice leader' } });
    expect(await checked(app, 'Bubble', verification_token)).toMatchObject({ memberType: officer });
  });

  it("without a guild's name ranks give no type: anyone may found a guild with such ranks", async () => {
    const { app, data } = await verifying(dialect);
    await aMemberType(app, { guild_ranks: ['Leader'] });
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code, guild: { name: 'My Own', rank: 'Leader' } });
    expect(await checked(app, 'Bubble', verification_token)).toMatchObject({
      memberType: 'member',
    });
  });
});

/** A member joins the waitlist of hours that another one has, stars a spot and makes a weekly claim. */
async function joinAndStar(app: TestApp, by: Record<string, string>): Promise<void> {
  const holder = await aKey(app);
  await submitted(app, holder, aClaim(holder));
  const hours = { hour_start: 10, hour_end: 14 };
  await app.api
    .post('/waits')
    .set(by)
    .send({ ...hours, respawn_id: 1, date: TODAY })
    .expect(201);
  await app.api
    .post('/stars')
    .set(by)
    .send({ respawn_ids: [3] })
    .expect(200);
  await app.api
    .post('/standing')
    .set(by)
    .send({ ...hours, respawn_id: 2, weekdays: [2] })
    .expect(201);
}

describe.each(databases)('a character that has a key already, on %s', (dialect) => {
  it('proves itself again and gets that key, with the type it has; earlier tokens get it no more', async () => {
    const context = await verifying(dialect, { GUILD_NAME: 'Red Rose' });
    const { app, data } = context;
    const key = await aKey(app, 'Bubble', 'elite');
    const first = await aCode(app);
    data.show({ name: 'Bubble', comment: first.code, guild: { name: 'Red Rose', rank: 'Leader' } });
    expect(await checked(app, 'Bubble')).toEqual({ verified: true, characterName: 'Bubble' });
    expect(await checked(app, 'Bubble', first.verification_token)).toMatchObject({
      accessKey: key.key_value,
      memberType: 'elite',
    });
    const second = await aCode(app);
    setSeconds(app, 60);
    data.show({
      name: 'Bubble',
      comment: second.code,
      guild: { name: 'Red Rose', rank: 'Leader' },
    });
    expect(await checked(app, 'Bubble', second.verification_token)).toMatchObject({
      accessKey: key.key_value,
      memberType: 'elite',
    });
    expect(await checked(app, 'Bubble', first.verification_token)).toEqual({
      verified: true,
      characterName: 'Bubble',
    });
    expect((await app.api.get('/admin/access-keys').set(app.admin)).body.data).toHaveLength(1);
  });

  it('does not get a revoked key back: it stays revoked until an admin restores it', async () => {
    const { app, data } = await verifying(dialect);
    const key = await aKey(app, 'Bubble');
    await asAdmin(app, 'revoke-character-access', 'Bubble').expect(200);
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code });
    expectRefusal(
      await check(app, 'Bubble', verification_token),
      403,
      'session.keyRevoked',
      REVOKED,
      {},
    );
    expectRefusal(
      await check(app, 'Bubble', verification_token),
      403,
      'session.keyRevoked',
      REVOKED,
      {},
    );
    expect(await checked(app, 'Bubble')).toEqual({ verified: false, characterName: 'Bubble' });
    await asAdmin(app, 'restore-character-access', 'Bubble').expect(200);
    expect(await checked(app, 'Bubble', verification_token)).toMatchObject({
      accessKey: key.key_value,
    });
  });

  it('gets a new key when it was sold: neither the seller’s key nor the seller’s token works any more', async () => {
    const context = await verifying(dialect);
    const { app, data } = context;
    const seller = await verified(context);
    const by = asMember({ key_value: `${seller.accessKey}` });
    await app.api
      .put('/admin/config')
      .set(app.admin)
      .send({ standing_enabled: 1, transfers_enabled: 1 })
      .expect(200);
    const friend = await aKey(app);
    await joinAndStar(app, by);
    const { id } = await app.ctx.db
      .selectFrom('claims')
      .select('id')
      .where('character_name', '=', 'Bubble')
      .executeTakeFirstOrThrow();
    await app.api
      .post(`/claims/${id}/handover`)
      .set(by)
      .send({ to: friend.character_name })
      .expect(201);
    setSeconds(app, 60);
    const buyer = await aCode(app);
    data.show({ name: 'Bubble', comment: buyer.code, traded: true });
    const { accessKey } = await checked(app, 'Bubble', buyer.verification_token);
    expect(accessKey).toBeDefined();
    expect(accessKey).not.toBe(seller.accessKey);
    const old = await app.api.post('/validate-access-key').send({ accessKey: seller.accessKey });
    expectRefusal(old, 401, 'session.invalidKey', 'Invalid access key');
    expect(await checked(app, 'Bubble', seller.verification_token)).toEqual({
      verified: true,
      characterName: 'Bubble',
    });
    const open = async (table: 'waits' | 'transfers' | 'standing_claims') =>
      (await app.ctx.db.selectFrom(table).select('id').where('ended_at', 'is', null).execute())
        .length;
    expect([await open('waits'), await open('transfers'), await open('standing_claims')]).toEqual([
      0, 0, 0,
    ]);
    expect(await app.ctx.db.selectFrom('stars').selectAll().execute()).toEqual([]);
    expect(await actions(app)).toContainEqual(expect.objectContaining({ action: 'user_verified' }));
    expect(await latest(app, 'user_verified')).toMatchObject({ details: { key: 'replaced' } });
  });

  it('gets a new key, but keeps what is the buyer’s, when a sold character verifies again', async () => {
    const context = await verifying(dialect);
    const { app, data } = context;
    await verified(context);
    await app.api.put('/admin/config').set(app.admin).send({ standing_enabled: 1 }).expect(200);
    const verifyAgain = async (seconds: number): Promise<string> => {
      setSeconds(app, seconds);
      const { code, verification_token } = await aCode(app);
      data.show({ name: 'Bubble', comment: code, traded: true });
      return `${(await checked(app, 'Bubble', verification_token)).accessKey}`;
    };
    const bought = await verifyAgain(60);
    await joinAndStar(app, asMember({ key_value: bought }));
    const left = await app.ctx.db.selectFrom('former_members').selectAll().execute();
    const again = await verifyAgain(600);
    expect(again).not.toBe(bought);
    const old = await app.api.post('/validate-access-key').send({ accessKey: bought });
    expectRefusal(old, 401, 'session.invalidKey', 'Invalid access key');
    const own = async (path: string): Promise<unknown> =>
      (
        await app.api
          .get(path)
          .set(asMember({ key_value: again }))
          .expect(200)
      ).body.data;
    expect(await own('/standing')).toMatchObject([
      { character_name: 'Bubble', ended_at: null, stopped: null },
    ]);
    expect(await own('/stars')).toMatchObject({ ids: [3] });
    expect(await app.ctx.db.selectFrom('waits').select('status').execute()).toEqual([
      { status: 'waiting' },
    ]);
    // Claims from before the trade are still a former member's.
    expect(await app.ctx.db.selectFrom('former_members').selectAll().execute()).toEqual(left);
  });

  it('is named in the refusal, for every caller', async () => {
    const { app } = await verifying(dialect);
    await aKey(app, 'Bubble');
    const isVerified = async (name: string): Promise<unknown> =>
      (await app.api.get(`/check-character-verification/${encodeURIComponent(name)}`).expect(200))
        .body;
    await expectNoTick(app, async () => {
      expect(await isVerified(' bUBBLE ')).toEqual({ isVerified: true });
      expect(await isVerified('Bub')).toEqual({ isVerified: false });
      expect(await isVerified('no name 7')).toEqual({ isVerified: false });
    });
    await asAdmin(app, 'revoke-character-access', 'Bubble').expect(200);
    expect(await isVerified('Bubble')).toEqual({ isVerified: false });
    await asAdmin(app, 'restore-character-access', 'Bubble').expect(200);
    await asAdmin(app, 'ban-character', 'Bubble').expect(200);
    expect(await isVerified('Bubble')).toEqual({ isVerified: false });
  });
});

describe.each(databases)('a ban on %s', (dialect) => {
  it('refuses every check of the character, and keeps a code that was found from being stored', async () => {
    const { app, data } = await verifying(dialect);
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code });
    await asAdmin(app, 'ban-character', 'bubble').expect(200);
    await expectNoTick(app, async () => {
      for (const token of [verification_token, undefined])
        expectRefusal(await check(app, 'Bubble', token), 403, 'session.banned', BANNED, {});
    });
    expect(data.requests).toEqual([]);
    await asAdmin(app, 'unban-character', 'Bubble').expect(200);
    expect((await checked(app, 'Bubble', verification_token)).accessKey).toBeDefined();
  });

  it('made while the character is looked up still refuses it', async () => {
    const { app, data } = await verifying(dialect);
    const { code, verification_token } = await aCode(app);
    const lookedUp = Promise.withResolvers<() => void>();
    data.failWith((res) => {
      const answer = {
        character: { character: { name: 'Bubble', comment: code } },
        information: { status: { http_code: 200 } },
      };
      lookedUp.resolve(() => void res.writeHead(200).end(JSON.stringify(answer)));
    });
    const checking = check(app, 'Bubble', verification_token).then((answer) => answer);
    const answerNow = await lookedUp.promise;
    await ban(app, { character_name: 'Bubble' });
    answerNow();
    expectRefusal(await checking, 403, 'session.banned', BANNED, {});
    expect(await app.ctx.db.selectFrom('access_keys').select('id').execute()).toEqual([]);
  });
});

describe.each(usualDatabases)('checks by hand on %s', (dialect) => {
  it('look no character up; the member has to ask an admin', async () => {
    const { app, data } = await verifying(dialect, { CHARACTER_CHECK: 'manual' });
    const { code, instructions, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code });
    expect(instructions).toBe(
      `Tell an admin the name Bubble and the code ${code}. They verify your character and give you its access key. The code is valid for 24 hours.`,
    );
    expect(await checked(app, 'Bubble', verification_token)).toEqual({
      verified: false,
      characterName: 'Bubble',
      reason: 'verification.manual',
    });
    expect(data.requests).toEqual([]);
  });

  it('are in the configuration, and so is the guild', async () => {
    const { app } = await verifying(dialect, {
      CHARACTER_CHECK: 'manual',
      GUILD_NAME: ' Red   Rose ',
    });
    expect((await app.api.get('/config')).body).toMatchObject({
      character_check: 'manual',
      guild_name: 'Red Rose',
    });
  });
});

describe('two servers on one PostgreSQL', () => {
  it('give the key to the right browser on either server, and store a shared find once', async () => {
    const data = await startGameData();
    const database = await freshDatabase('postgres');
    const env = { CHARACTER_API_URL: data.url };
    const one = await createTestApp('postgres', { env, on: database });
    const other = await createTestApp('postgres', { env, on: database });
    const { code, verification_token } = await aCode(one);
    data.show({ name: 'Bubble', comment: code });
    const answers = await Promise.all([
      checked(one, 'Bubble', verification_token),
      checked(other, 'Bubble', verification_token),
    ]);
    expect(answers[0].accessKey).toBeDefined();
    expect(answers[1].accessKey).toBe(answers[0].accessKey);
  });
});
