import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { aGif } from '../../../dev/test/gifs.ts';
import type { Program } from './program.ts';

const answered = z
  .object({ id: z.number(), key_value: z.string(), token: z.string(), code: z.string() })
  .partial();
type Answered = z.infer<typeof answered>;

type Call = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answered>;

interface Caller {
  visitor: Call;
  admin: Call;
  member: (key: string, ...call: Parameters<Call>) => Promise<Answered>;
  read: (path: string) => Promise<unknown>;
}

/** Calls of a program, as its pages make them. Refusals are printed; missing routes are not. */
async function callerOf(url: string): Promise<Caller> {
  const call = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<unknown> => {
    const form = body instanceof FormData;
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...(form || !body ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok && answer.status !== 404)
      process.stdout.write(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}\n`);
    const { data } = z
      .object({ data: z.unknown() })
      .catch({ data: undefined })
      .parse(JSON.parse(text || 'null'));
    return answer.ok ? data : undefined;
  };
  const answerOf = (data: unknown): Answered =>
    answered.catch({}).parse(Array.isArray(data) ? data[0] : data);
  const visitor: Call = async (...given) => answerOf(await call(...given));
  const { token = '' } = await visitor('POST', '/login', {
    username: 'admin',
    password: 'hunting-at-night',
  });
  const asAdmin = { Authorization: `Bearer ${token}` };
  return {
    visitor,
    admin: async (method, path, body, headers) =>
      answerOf(await call(method, path, body, { ...asAdmin, ...headers })),
    member: async (key, method, path, body, headers) =>
      answerOf(await call(method, path, body, { 'X-Access-Key': key, ...headers })),
    read: (path) => call('GET', path, undefined, asAdmin),
  };
}

const ASK_EVERY_MS = 250;
const WAIT_MS = 20_000;

/** Asks until it is so; never so where the program of the day has no such call. */
async function eventually(
  { read }: Caller,
  path: string,
  isSo: (answer: unknown) => boolean,
): Promise<void> {
  for (const since = Date.now(); Date.now() - since < WAIT_MS; ) {
    const answer = await read(path);
    if (answer === undefined || isSo(answer)) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  process.stdout.write(`${path}: not so after ${WAIT_MS / 1_000} s\n`);
}

type Start = (at: string, settings: Record<string, string>) => Promise<Program>;

/** 09:30 Pacific time on Wednesday; and Saturday, a quarter of an hour before SS+9. */
const [WEDNESDAY, SATURDAY] = ['2026-11-18T17:30:00.000Z', '2026-11-21T17:50:00.000Z'] as const;

const A_BROWSER = {
  endpoint: 'http://127.0.0.1:9/push/1',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

/** A guild's actions; a program of a date before a feature leaves it out. @returns the time at its end */
export async function aGuild(start: Start): Promise<string> {
  // Discord's answers have an id: of the channel, or of the message.
  let messages = 0;
  const receiver = createServer(({ url = '' }, response) => {
    if (url.endsWith('/messages')) messages += 1;
    if (url.startsWith('/discord'))
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end('{"id":"723456789012345678"}');
    else response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = z.object({ port: z.number() }).parse(receiver.address());
  const settings = {
    CHARACTER_CHECK: 'manual',
    ALLOW_PRIVATE_DESTINATIONS: '1',
    ARCHIVE_AFTER_DAYS: '1',
    DISCORD_API_URL: `http://127.0.0.1:${port}/discord`,
  };
  const first = await start(WEDNESDAY, settings);
  const calls = await callerOf(first.url);
  await makeTypes(calls);
  const keys = await makeKeys(calls);
  await isOver(calls);
  await tellOthers(calls, keys, port);
  const fromDiscord = await connectDiscord(calls, keys);
  const week = await hunt(calls, keys);
  await tidyUp(calls);
  await planAhead(calls, keys, week);
  await operate(calls);
  await first.stop();

  const second = await start(SATURDAY, settings);
  const again = await callerOf(second.url);
  await keep(again, keys);
  await fromDiscord(again, { name: 'mine' }, SATURDAY);
  for (const filled of [
    '/admin/destinations/1/deliveries',
    '/admin/archive/events/1/claims',
    '/admin/archive/claims',
  ])
    await eventually(
      again,
      filled,
      (answer) => z.array(z.unknown()).min(1).safeParse(answer).success,
    );
  // Ölaf is asked to confirm the claim of SS+9.
  await eventually(again, '/admin/discord', () => messages > 0);
  await second.stop();
  receiver.close();
  return SATURDAY;
}

async function makeTypes({ admin }: Caller): Promise<void> {
  await admin('PUT', '/admin/config', {
    guild_name: 'Red Rose',
    release_enabled: 1,
    confirm_enabled: 1,
    transfers_enabled: 1,
  });
  await admin('POST', '/admin/member-types', {
    member_type: 'Vétéran',
    voucher_duration_hours: 6,
    max_hours_per_day: 12,
  });
  await admin('PUT', '/admin/member-types/member', { allow_secondary_claims: 1 });
  await admin('POST', '/categories', { name: 'Où on chasse' });
  await admin('POST', '/respawns/admin', aSpot('Ölaf’s cellar', 'cellar.gif'));
}

function aSpot(name: string, file: string): FormData {
  const form = new FormData();
  form.set('name', name);
  form.set('image', new Blob([new Uint8Array(aGif())], { type: 'image/gif' }), file);
  return form;
}

type Keys = Record<'Ölaf' | 'Thora' | 'Bubble' | 'Gone', string>;

async function makeKeys({ admin, visitor }: Caller): Promise<Keys> {
  const made = async (characterName: string, memberType = 'member'): Promise<string> =>
    (await admin('POST', '/admin/access-keys', { characterName, memberType })).key_value ?? '';
  const keys = {
    Ölaf: await made('Ölaf'),
    Thora: await made('Thora'),
    Bubble: await made('Bubble', 'elite'),
    Gone: await made('Gone'),
  };
  await admin('PUT', '/admin/access-keys/4/revoke', {});
  await visitor('POST', '/generate-verification-code', { character_name: 'Newcomer' });
  await admin('POST', '/admin/verify-character', { character_name: 'Ölaf' });
  await admin('POST', '/admin/ban-character', { character_name: 'Griefer' });
  return keys;
}

const byAdmin = (claims: object[]) => ({ claims, member_type: 'member', admin_submission: true });
const hours = (respawn_id: number, date: string, hour_start: number, hour_end: number) => ({
  respawn_id,
  date,
  hour_start,
  hour_end,
});

/** Hunts that are over, of an event and of none, which leave for the archive where there is one. */
async function isOver({ admin }: Caller): Promise<void> {
  const old = await admin('POST', '/events', {
    name: 'Old hunt',
    start_time: '2026-10-01T10:00',
    end_time: '2026-10-05T10:00',
  });
  await admin('POST', `/events/${old.id}/activate`);
  await admin(
    'POST',
    '/claims',
    byAdmin([{ ...hours(2, '2026-10-02', 3, 5), character_name: 'Ölaf', event_id: old.id }]),
  );
  await admin(
    'POST',
    '/claims',
    byAdmin([{ ...hours(2, '2026-10-03', 3, 5), character_name: 'Thora', event_id: old.id }]),
  );
  await admin('POST', `/events/${old.id}/deactivate`);
  await admin(
    'POST',
    '/claims',
    byAdmin([{ ...hours(3, '2026-10-20', 1, 4), character_name: 'Bubble' }]),
  );
}

/** Subscribers: a receiver on this machine, and an address that doesn't answer. */
async function tellOthers({ admin, member }: Caller, keys: Keys, port: number): Promise<void> {
  const events = ['claim.created', 'claim.deleted', 'event.activated'];
  const hook = {
    name: 'Our hook',
    kind: 'webhook',
    url: `http://127.0.0.1:${port}/hook`,
    events,
    language: 'en',
  };
  await admin('POST', '/admin/destinations', hook);
  // The receiver is down: its messages stay pending.
  await admin('POST', '/admin/destinations', {
    ...hook,
    name: 'Gone hook',
    url: 'http://127.0.0.1:9/hook',
    events: ['event.activated'],
  });
  await member(keys.Ölaf, 'POST', '/push/subscriptions', A_BROWSER);
  await member(keys.Ölaf, 'PUT', '/push/preferences', {
    quiet_from: '22:00',
    quiet_until: '07:00',
    time_zone: 'Europe/Berlin',
  });
  await member(keys.Ölaf, 'POST', '/calendar', { language: 'es' });
  await member(keys.Ölaf, 'POST', '/stars', { respawn_ids: [3, 1] });
}

/** The Discord app, with linked members. @returns sends a command of theirs */
async function connectDiscord(
  { admin, member, visitor }: Caller,
  keys: Keys,
): Promise<(calls: Caller, data: object, at: string) => Promise<void>> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('hex');
  const application_id = '123456789012345678';
  await admin('PUT', '/admin/discord', {
    application_id,
    public_key,
    bot_token: 'a-token.of_a-bot-for-tests',
  });
  let id = 423_456_789_012_345_678n;
  const send = async (to: Pick<Caller, 'visitor'>, data: object, at: string): Promise<void> => {
    id += 1n;
    const user = { id: '323456789012345678', username: 'thora' };
    const command = { id: String(id), application_id, type: 2, token: 'token', user, data };
    const timestamp = String(Date.parse(at) / 1_000);
    const signature = sign(
      null,
      Buffer.from(timestamp + JSON.stringify(command)),
      privateKey,
    ).toString('hex');
    await to.visitor('POST', '/discord/interactions', command, {
      'X-Signature-Ed25519': signature,
      'X-Signature-Timestamp': timestamp,
    });
  };
  for (const key of [keys.Thora, keys.Ölaf]) {
    const { code } = await member(key, 'POST', '/discord/link-code');
    await send({ visitor }, { name: 'link', options: [{ name: 'code', value: code }] }, WEDNESDAY);
  }
  return send;
}

/** This week's: claims of members in an event, by all the ways there are. */
async function hunt({ admin, member }: Caller, keys: Keys): Promise<number | undefined> {
  const claim = (key: string, character_name: string, given: object, more: object = {}) =>
    member(key, 'POST', '/claims', {
      claims: [{ character_name, ...given }],
      member_type: 'member',
      access_key: key,
      ...more,
    });
  const single = {
    name: 'One for all',
    type: 'single_claim',
    start_time: '2026-11-30T10:00',
    end_time: '2026-12-03T10:00',
  };
  const { id: all } = await admin('POST', '/events', single);
  await admin('POST', `/events/${all}/activate`);
  await admin(
    'POST',
    '/claims',
    byAdmin([
      { respawn_id: 4, hour_start: 2, hour_end: 4, character_name: 'Thora', event_id: all },
    ]),
  );
  const { id } = await admin('POST', '/events', {
    name: 'Week 47',
    start_time: '2026-11-15T10:00',
    end_time: '2026-11-28T10:00',
  });
  await admin('POST', `/events/${id}/activate`);
  await admin('POST', '/admin/event-templates', {
    event_id: id,
    name: 'Week {n}',
    weekday: 0,
    claims: 'all',
  });
  // At SS+9 of Saturday, just after the second start.
  await claim(keys.Ölaf, 'Ölaf', hours(1, '2026-11-21', 9, 12));
  const given = await claim(keys.Thora, 'Thora', { ...hours(2, '2026-11-22', 0, 4) });
  await member(keys.Thora, 'POST', `/claims/${given.id}/handover`, {
    to: 'Ölaf',
    access_key: keys.Thora,
  });
  const parts = [
    { part_number: 1, respawn_id: 4, hour_start: 3, duration: 2 },
    { part_number: 2, respawn_id: 5, hour_start: 6, duration: 2 },
  ];
  await claim(
    keys.Bubble,
    'Bubble',
    { respawn_id: 4, date: '2026-11-23', is_split_claim: 1, split_parts: parts },
    { member_type: 'elite' },
  );
  const both = [
    hours(2, '2026-11-24', 9, 11),
    { ...hours(3, '2026-11-24', 9, 11), is_secondary_claim: 1, secondary_priority: 1 },
  ];
  const claims = both.map((each) => ({ character_name: 'Bubble', ...each }));
  await member(keys.Bubble, 'POST', '/claims', {
    claims,
    member_type: 'elite',
    access_key: keys.Bubble,
  });
  await member(keys.Bubble, 'POST', '/waits', {
    ...hours(1, '2026-11-21', 9, 11),
    access_key: keys.Bubble,
  });
  const running = await claim(keys.Bubble, 'Bubble', hours(6, '2026-11-18', 9, 12), {
    member_type: 'elite',
  });
  await member(keys.Bubble, 'POST', `/claims/${running.id}/release`, { access_key: keys.Bubble });
  return id;
}

/** Admins' deletions, which can be undone if the program of that date keeps undo data. */
async function tidyUp({ admin }: Caller): Promise<void> {
  const gone = await admin(
    'POST',
    '/claims',
    byAdmin([{ ...hours(6, '2026-11-24', 1, 5), character_name: 'Ölaf' }]),
  );
  await admin('DELETE', `/admin/claims/${gone.id}`);
  for (const [nth, name] of ['Ölaf', 'Thora'].entries())
    await admin(
      'POST',
      '/claims',
      byAdmin([{ ...hours(6, '2026-11-26', nth * 4, nth * 4 + 4), character_name: name }]),
    );
  await admin('DELETE', '/claims/admin/respawn/6');
  const { id } = await admin('POST', '/events', {
    name: 'A mistake',
    start_time: '2026-12-10T10:00',
    end_time: '2026-12-12T10:00',
  });
  await admin('DELETE', `/events/${id}`);
  const spot = await admin('POST', '/respawns/admin', aSpot('A spot too many', 'spot.gif'));
  await admin('DELETE', `/admin/respawns/${spot.id}`);
  await admin('DELETE', '/admin/access-keys/4');
}

/** Recurring actions: another admin, and the same event each week. */
async function planAhead(
  { admin, member }: Caller,
  keys: Keys,
  week: number | undefined,
): Promise<void> {
  await admin('POST', '/admin/invitations', { username: 'Thora', role: 'moderator' });
  await admin('POST', '/admin/event-templates', {
    event_id: week,
    name: 'Each week',
    weekday: 6,
    claims: 'none',
  });
  await admin('PUT', '/admin/config', { standing_enabled: 1 });
  // Fridays, one of which lies beyond the event.
  await member(keys.Thora, 'POST', '/standing', {
    respawn_id: 4,
    weekdays: [5],
    hour_start: 14,
    hour_end: 16,
    join_waitlist: 1,
  });
}

/** A wrong password, a backup and a check-up. */
async function operate(calls: Caller): Promise<void> {
  await calls.visitor('POST', '/login', { username: 'admin', password: 'a wrong password' });
  await calls.admin('POST', '/admin/system/backup');
  await calls.admin('POST', '/admin/system/checkup');
  const done = z.object({
    backup: z.object({ running: z.null() }),
    checkup: z.object({ running: z.null(), last: z.object({}) }),
  });
  await eventually(calls, '/admin/system', (answer) => done.safeParse(answer).success);
}

/** Midweek: submitted twice with one key, stored once. */
async function keep({ member }: Caller, keys: Keys): Promise<void> {
  const body = {
    claims: [{ character_name: 'Ölaf', ...hours(2, '2026-11-25', 5, 7) }],
    member_type: 'member',
    access_key: keys.Ölaf,
  };
  for (let times = 0; times < 2; times += 1)
    await member(keys.Ölaf, 'POST', '/claims', body, { 'Idempotency-Key': 'once' });
}
