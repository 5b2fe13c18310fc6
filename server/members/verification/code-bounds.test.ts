import { describe, expect, it, vi } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import type { PendingCode, VerificationAnswer } from '../../../shared/schemas/character.ts';
import { aClaim, aKey, asMember, changeUnheard, submitted } from '../../dev/test/builders.ts';
import { databases, usualDatabases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { runNow } from '../../dev/test/jobs.ts';
import type { TestApp } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import { CODES_FOR_NAME } from '../../http/rate-limits.ts';
import {
  CODES_OF_ADDRESS,
  CODES_OF_ADDRESS_FOR_NAME,
  CODES_OF_NAME,
  forgetCodes,
  VERIFIED_KEPT,
} from './codes.ts';
import { actions, asAdmin, records, setSeconds, type Verifying, verifying } from './test/verify.ts';

const PROXY = { TRUST_PROXY: '1' };
const HOUR = 3_600;

/** Requests a code from a new address. */
const request = (app: TestApp, address: string, character_name = 'Bubble') =>
  app.api
    .post('/generate-verification-code')
    .set('X-Forwarded-For', address)
    .send({ character_name });

async function codeFor(app: TestApp, address: string, name?: string): Promise<PendingCode> {
  return (await request(app, address, name).expect(201)).body.data;
}

async function checkFrom(
  app: TestApp,
  address: string,
  { name, token }: { name: string; token?: string },
): Promise<VerificationAnswer> {
  const body = { characterName: name, verification_token: token };
  const answer = await app.api
    .post('/check-verification')
    .set('X-Forwarded-For', address)
    .send(body)
    .expect(200);
  return answer.body.data;
}

const codesOf = async (app: TestApp, name = 'Bubble') =>
  (await records(app)).filter((record) => record.character_name === name).map(({ code }) => code);

/** Codes as so many requests of now would leave them, but for what the log says of those. */
async function stored(
  app: TestApp,
  count: number,
  of: (i: number) => { address: string; character_name: string },
): Promise<string[]> {
  const common = { token_hash: null, created_at: app.ctx.now().toISOString(), verified_at: null };
  const expires_at = new Date(app.ctx.now().getTime() + 24 * HOUR * 1_000).toISOString();
  const rows = Array.from({ length: count }, async (_, i) => {
    const { address, character_name } = of(i);
    const code = `CLAIM-${String(i).padStart(8, '0')}`;
    const address_hash = await app.ctx.hashAddress(address);
    return {
      ...common,
      character_name,
      character_key: nameKey(character_name),
      code,
      address_hash,
      expires_at,
    };
  });
  const values = await Promise.all(rows);
  await changeUnheard(app, (tx) => tx.insertInto('verifications').values(values).execute());
  return values.map(({ code }) => code);
}

/** As many codes as a name may have; the last address owns the newest. */
async function fillName(app: TestApp, name = 'Bubble'): Promise<string[]> {
  const addressOf = (i: number): string => `10.0.0.${Math.floor(i / CODES_OF_ADDRESS_FOR_NAME)}`;
  const before = CODES_OF_NAME - CODES_OF_ADDRESS_FOR_NAME;
  const codes = await stored(app, before, (i) => ({ address: addressOf(i), character_name: name }));
  while (codes.length < CODES_OF_NAME)
    codes.push((await codeFor(app, addressOf(codes.length), name)).code);
  return codes;
}

const started = async (app: TestApp): Promise<number> =>
  (await actions(app)).filter(({ action }) => action === 'verification_started').length;

describe.each(databases)('the codes of one name on %s', (dialect) => {
  it('are five an address: its sixth replaces its own oldest, never another address’s', async () => {
    const { app, data } = await verifying(dialect, PROXY);
    const member = await codeFor(app, '10.1.1.1');
    const own: string[] = [];
    for (let i = 0; i < CODES_OF_ADDRESS_FOR_NAME + 7; i += 1) {
      setSeconds(app, i * 15);
      own.unshift((await codeFor(app, '10.2.2.2')).code);
    }
    expect(await codesOf(app)).toEqual([...own.slice(0, CODES_OF_ADDRESS_FOR_NAME), member.code]);
    data.show({ name: 'Bubble', comment: member.code });
    expect(
      (await checkFrom(app, '10.1.1.1', { name: 'Bubble', token: member.verification_token }))
        .accessKey,
    ).toBeDefined();
  });

  it('count by network where the address is one of IPv6', async () => {
    const { app } = await verifying(dialect, PROXY);
    for (let i = 0; i < 12; i += 1) {
      setSeconds(app, i * 15);
      await codeFor(app, `2001:db8:1:${i}::${i}`);
    }
    expect(await codesOf(app)).toHaveLength(CODES_OF_ADDRESS_FOR_NAME);
  });

  it('are limited to fifty: further addresses have to wait, those with one continue', async () => {
    const { app } = await verifying(dialect, PROXY);
    const codes = await fillName(app);
    await expectNoTick(app, async () => {
      const refused = await request(app, '10.9.9.9');
      const params = { character_name: 'Bubble', seconds: 24 * HOUR, hours: 24 };
      const sentence =
        'There are too many open codes for Bubble. Please try again in about 24 h, or contact an admin.';
      expectRefusal(refused, 429, 'verification.tooManyCodes', sentence, params);
      expect(refused.headers['retry-after']).toBe(String(24 * HOUR));
    });
    await codeFor(app, '10.0.0.3');
    const left = await codesOf(app);
    expect(left).toHaveLength(CODES_OF_NAME);
    expect(codes.filter((code) => !left.includes(code))).toEqual([codes[15]]);
    // Another name is another matter, and what expired makes room.
    await codeFor(app, '10.9.9.9', 'Somebody Else');
    setSeconds(app, 24 * HOUR);
    await codeFor(app, '10.9.9.9');
    expect(await codesOf(app)).toHaveLength(CODES_OF_NAME);
  });

  it('change one record each: a hundred requests leave a kilobyte each, and one entry an hour in the log', async () => {
    const { app } = await verifying(dialect, PROXY);
    const clock = app.ctx.bus.clock();
    for (let i = 0; i < 100; i += 1) await request(app, `10.0.0.${i % 12}`);
    const sets = await app.ctx.db
      .selectFrom('changes')
      .select('body')
      .where('clock', '>', clock)
      .execute();
    expect(sets.length).toBeGreaterThan(CODES_OF_NAME);
    for (const { body } of sets) expect(body.length).toBeLessThan(1_000);
    expect(await started(app)).toBe(1);
    setSeconds(app, HOUR - 1);
    await codeFor(app, '10.0.0.1');
    expect(await started(app)).toBe(1);
    setSeconds(app, HOUR);
    for (let i = 0; i < 6; i += 1) {
      setSeconds(app, HOUR + i * 15);
      await codeFor(app, '10.0.0.1');
    }
    expect(await started(app)).toBe(2);
  });

  it('are sent to admins with the ones they replace, so that a board equals a fresh one', async () => {
    const { app } = await verifying(dialect, PROXY);
    const clock = app.ctx.bus.clock();
    for (let i = 0; i < CODES_OF_ADDRESS_FOR_NAME + 1; i += 1) {
      setSeconds(app, i * 15);
      await codeFor(app, '10.0.0.1');
    }
    const sets = await app.ctx.db
      .selectFrom('changes')
      .select('body')
      .where('clock', '>', clock)
      .orderBy('clock')
      .execute();
    const last: { change: { op: string; kind: string } }[] = JSON.parse(sets.at(-1)?.body ?? '[]');
    expect(last.map(({ change }) => `${change.op} ${change.kind}`)).toEqual([
      'remove verified_code',
      'put verified_code',
    ]);
  });

  it('verified ones and open ones are limited together: a ban shows all of them', async () => {
    const { app, data } = await verifying(dialect, PROXY);
    for (let i = 0; i < VERIFIED_KEPT + 5; i += 1) {
      setSeconds(app, i * 60);
      const { code, verification_token } = await codeFor(app, '10.1.1.1');
      data.show({ name: 'Bubble', comment: code });
      expect(
        (await checkFrom(app, '10.1.1.1', { name: 'Bubble', token: verification_token })).accessKey,
      ).toBeDefined();
    }
    expect(await codesOf(app)).toHaveLength(VERIFIED_KEPT);
    await fillName(app);
    const clock = app.ctx.bus.clock();
    await asAdmin(app, 'ban-character', 'Bubble').expect(200);
    const [set] = await app.ctx.db
      .selectFrom('changes')
      .select('body')
      .where('clock', '>', clock)
      .execute();
    expect(JSON.parse(set?.body ?? '')).toHaveLength(VERIFIED_KEPT + CODES_OF_NAME + 1);
    expect(set?.body.length).toBeLessThan(40_000);
  });
});

describe.each(databases)('the codes of one address on %s', (dialect) => {
  /** A name that the game could have. */
  const invented = (i: number): string =>
    `Invented ${String.fromCharCode(97 + Math.floor(i / 26))}${String.fromCharCode(97 + (i % 26))}`;

  it('are two hundred for an address of a whole guild: the next replaces its own oldest, and the log is silent', async () => {
    const { app } = await verifying(dialect, PROXY);
    const member = await codeFor(app, '10.1.1.1');
    const requests = 5;
    const before = CODES_OF_ADDRESS - requests;
    await stored(app, before, (i) => ({ address: '10.2.2.2', character_name: invented(i) }));
    for (let i = before; i < CODES_OF_ADDRESS + 20; i += 1)
      await codeFor(app, '10.2.2.2', invented(i));
    const names = (await records(app)).map((record) => record.character_name);
    expect(names).toHaveLength(CODES_OF_ADDRESS + 1);
    expect(names.at(-1)).toBe('Bubble');
    expect(names).not.toContain(invented(19));
    expect(names).toContain(invented(20));
    expect(await codesOf(app)).toEqual([member.code]);
    const entries = app.ctx.db
      .selectFrom('activity')
      .select((all) => all.fn.countAll<number>().as('n'));
    const { n } = await entries
      .where('action', '=', 'verification_started')
      .executeTakeFirstOrThrow();
    expect(n).toBe(requests + 1);
  }, 120_000);

  it('are linked to a hash of the address, which is deleted when they are found', async () => {
    const { app, data } = await verifying(dialect, PROXY);
    const { code, verification_token } = await codeFor(app, '198.51.100.7');
    const hashes = async () =>
      (await app.ctx.db.selectFrom('verifications').select('address_hash').execute()).map(
        (row) => row.address_hash,
      );
    expect(await hashes()).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    const stored = [
      await app.ctx.db.selectFrom('verifications').selectAll().execute(),
      await app.ctx.db.selectFrom('changes').selectAll().execute(),
      await app.ctx.db.selectFrom('activity').selectAll().execute(),
    ];
    expect(JSON.stringify(stored)).not.toContain('198.51.100');
    data.show({ name: 'Bubble', comment: code });
    await checkFrom(app, '198.51.100.7', { name: 'Bubble', token: verification_token });
    expect(await hashes()).toEqual([null]);
  });

  it('that were never found are deleted after ten days, in batches', async () => {
    const { app } = await verifying(dialect, PROXY);
    const created_at = '2026-11-01T00:00:00.000Z';
    const old = Array.from({ length: 250 }, (_, i) => ({
      character_name: invented(i),
      character_key: invented(i),
      code: `OLD-${i}`,
    }));
    const rows = old.map((row) => ({
      ...row,
      token_hash: null,
      created_at,
      expires_at: created_at,
      verified_at: null,
    }));
    await changeUnheard(app, (tx) => tx.insertInto('verifications').values(rows).execute());
    const left: number[] = [];
    for (const outcome of ['more', 'more', 'done', 'not needed']) {
      expect(await runNow(app, forgetCodes)).toBe(outcome);
      left.push((await records(app)).length);
    }
    expect(left).toEqual([150, 50, 0, 0]);
  });
});

describe.each(usualDatabases)(
  'the codes that an address wants within a minute on %s',
  (dialect) => {
    const guild = Array.from(
      // Not the constant: a guild of 200 has to fit in.
      { length: 240 },
      (_, i) => `Member ${String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26))}`,
    );
    const refused = async (
      app: TestApp,
      address: string,
      { name, seconds }: { name: string; seconds: number },
    ): Promise<void> => {
      await expectNoTick(app, async () => {
        const answer = await request(app, address, name);
        expectRefusal(
          answer,
          429,
          'request.tooManyTries',
          `Too many attempts. Please wait ${seconds} seconds.`,
          { seconds },
        );
        expect(answer.headers['retry-after']).toBe(String(seconds));
      });
    };

    it('are refused first for one name, then for all, and not for a guild that sits in one hall', async () => {
      const { app } = await verifying(dialect, PROXY);
      for (let i = 0; i < CODES_FOR_NAME; i += 1) await codeFor(app, '10.2.2.2');
      await refused(app, '10.2.2.2', { name: 'Bubble', seconds: 60 });
      // Neither another address nor another name is refused for it.
      await codeFor(app, '10.1.1.1');
      for (const name of guild.slice(1)) await codeFor(app, '10.2.2.2', name);
      setSeconds(app, 20);
      await refused(app, '10.2.2.2', { name: 'One More', seconds: 40 });
      await refused(app, '10.2.2.2', { name: 'One More', seconds: 40 });
      await codeFor(app, '10.2.2.2', guild.at(-1));
      setSeconds(app, 60);
      await codeFor(app, '10.2.2.2', 'One More');
      await codeFor(app, '10.2.2.2');
    });

    it('are limited for one name only, however many the others of a hall ask for again', async () => {
      const { app } = await verifying(dialect, PROXY);
      const names = guild.slice(0, 20);
      for (let round = 0; round < CODES_FOR_NAME; round += 1)
        for (const name of names) await codeFor(app, '10.2.2.2', name);
      await refused(app, '10.2.2.2', { name: names[0] ?? '', seconds: 60 });
      await codeFor(app, '10.2.2.2', 'Somebody Else');
    });
  },
);

describe.each(usualDatabases)('a stranger who wants codes on %s', (dialect) => {
  it('causes no write for members and invalidates none of their caches', async () => {
    const { app } = await verifying(dialect, { ...PROXY });
    const key = await aKey(app);
    const board = async () => app.api.get('/respawns').set(asMember(key)).expect(200);
    const { etag = '' } = (await board()).headers;
    const whole = async () => (await app.api.get('/snapshot').set(asMember(key)).expect(200)).text;
    const before = await whole();
    const watcher = new Watcher(app.url, { access_key: key.key_value });
    await watcher.connect();
    await codeFor(app, '10.1.1.1');
    await codeFor(app, '10.1.1.1', 'Sable Quinn');
    const selects = vi.spyOn(app.ctx.db, 'selectFrom');
    await app.api.get('/respawns').set(asMember(key)).set('If-None-Match', etag).expect(304);
    expect(await whole()).toBe(before);
    expect(selects).not.toHaveBeenCalled();
    // A client that starts from that board gets the rest.
    await watcher.reached(app.ctx.bus.clock());
    await submitted(app, key, aClaim(key));
    expect((await board()).headers.etag).not.toBe(etag);
    expect(await whole()).not.toBe(before);
  });
});

describe.each(usualDatabases)('addresses with codes on %s', (dialect) => {
  const wait = (seconds: number, { app }: Verifying): void => setSeconds(app, seconds);

  it('a check that must wait says how long, not that the code was not found', async () => {
    const context = await verifying(dialect, PROXY);
    const { app, data } = context;
    const crowd = ['Crowd A', 'Crowd B', 'Crowd C'].map((name) =>
      name.replace(/.$/, (letter) => letter.toLowerCase().repeat(2)),
    );
    for (const name of crowd) await codeFor(app, '10.2.2.2', name);
    const { code, verification_token } = await codeFor(app, '10.1.1.1');
    data.show({ name: 'Bubble', comment: code });
    for (const name of crowd) await checkFrom(app, '10.2.2.2', { name });
    await expectNoTick(app, async () => {
      expect(
        await checkFrom(app, '10.1.1.1', { name: 'Bubble', token: verification_token }),
      ).toEqual({
        verified: false,
        characterName: 'Bubble',
        reason: 'verification.waiting',
        waitSeconds: 2,
        checkedAt: null,
        nextCheckAt: '2026-11-21T18:00:02.000Z',
      });
      // Other visitors don't see it.
      expect(await checkFrom(app, '10.3.3.3', { name: 'Bubble' })).toEqual({
        verified: false,
        characterName: 'Bubble',
      });
    });
    wait(1, context);
    await checkFrom(app, '10.2.2.2', { name: 'Crowd cc' });
    wait(2, context);
    expect(
      (await checkFrom(app, '10.1.1.1', { name: 'Bubble', token: verification_token })).accessKey,
    ).toBeDefined();
    expect(data.requests).toEqual(['Crowd aa', 'Crowd bb', 'Bubble']);
  });
});
