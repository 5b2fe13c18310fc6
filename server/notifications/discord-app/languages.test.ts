import { expect, it, vi } from 'vitest';
import en from '../../../shared/locales/en.json' with { type: 'json' };
import es from '../../../shared/locales/es.json' with { type: 'json' };
import pt from '../../../shared/locales/pt.json' with { type: 'json' };
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { claimed, handover, swap } from '../../board/transfers/test/transfers.ts';
import { aKey, asMember } from '../../dev/test/builders.ts';
import { createTestApp, NOW, TODAY } from '../../dev/test/test-app.ts';
import { spotValue } from './option-text.ts';
import { aCommand, anInteraction, interact, setUp, startDiscord } from './test/stand-in.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A message as Discord would show it. */
interface Reply {
  type: number;
  data: {
    content?: string;
    embeds?: { description: string }[];
    components?: {
      components: {
        custom_id?: string;
        label?: string;
        placeholder?: string;
        options?: { value: string; label: string; description?: string }[];
      }[];
    }[];
  };
}

interface LogEntry {
  action: string;
  actor_kind: string;
}

/** All texts of a reply. */
function replyText({ data: { content = '', embeds = [], components = [] } }: Reply): string {
  const parts = components.flatMap((row) => row.components);
  const options = parts.flatMap(({ label, placeholder, options: list = [] }) => [
    label,
    placeholder,
    ...list.flatMap((each) => [each.label, each.description]),
  ]);
  return [content, ...embeds.map(({ description }) => description), ...options].join('\n');
}

const idsOf = ({ data }: Reply): string[] =>
  (data.components ?? []).flatMap(({ components }) =>
    components.flatMap(({ custom_id }) => custom_id ?? []),
  );

/** The sentences below a part of a locale file, by their keys without plural forms. */
function sentencesOf(part: object, path = ''): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of Object.entries(part)) {
    const key = path + name.replace(/_(one|many|other)$/, '');
    if (typeof value === 'string') found.set(key, [...(found.get(key) ?? []), value]);
    else for (const [inner, texts] of sentencesOf(value, `${key}.`)) found.set(inner, texts);
  }
  return found;
}

/** Matches a sentence with any parameters. */
const patternOf = (sentences: readonly string[]): RegExp =>
  new RegExp(
    sentences
      .map((text) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\{.*?\}\}/g, '.+?'))
      .join('|'),
    's',
  );

const day = (nth: number): string =>
  new Date(Date.parse(TODAY) + nth * 86_400_000).toISOString().slice(0, 10);
/** Discord's types of answers. */
const MESSAGE = 4;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const UPDATE = 7;
const STRANGER = { member: { user: { id: '423456789012345678', username: 'orik' } } };
/** SS+11 of today begins so many minutes after the test's time. */
const BEGINS = 120;
/** More than ten commands in ten seconds are refused. */
const BETWEEN_MS = 1_100;

it.each([
  ['en-US', en],
  ['es-419', es],
  ['pt-BR', pt],
])('answers each command and button, and each refusal, in %s', async (locale, words) => {
  const discord = await startDiscord();
  const env = {
    DISCORD_API_URL: discord.url,
    ALLOW_PRIVATE_DESTINATIONS: '1',
    PUBLIC_URL: 'https://board.example',
  } as const;
  const app = await createTestApp('sqlite', { env });
  await setUp(app, discord).expect(200);
  const configure = (fields: object) =>
    app.api.put('/admin/config').set(app.admin).send(fields).expect(200);
  await configure({
    release_enabled: 1,
    confirm_enabled: 1,
    grace_minutes: 20,
    transfers_enabled: 1,
  });
  const ann = await aKey(app, 'Ann');
  const bob = await aKey(app, 'Bob');

  let now = Date.parse(NOW);
  const pass = (ms: number): void => {
    now += ms;
    app.setNow(new Date(now).toISOString());
  };
  /** On a busy machine the server acknowledges first and sends the reply later. */
  const send = async (interaction: object): Promise<Reply> => {
    const before = discord.late.length;
    const reply: Reply = (await interact(app, discord, interaction).expect(200)).body;
    if (reply.type !== DEFERRED_MESSAGE && reply.type !== DEFERRED_UPDATE) return reply;
    const { isEdit, body } = await vi.waitUntil(() => discord.late[before], { timeout: 30_000 });
    const data: Reply['data'] = JSON.parse(JSON.stringify(body));
    return { type: isEdit && reply.type === DEFERRED_UPDATE ? UPDATE : MESSAGE, data };
  };
  /** The actions of all buttons and selects that were shown, and of those that were pressed. */
  const offered = new Set<string>();
  const pressed = new Set<string>();
  const noted = (reply: Reply): Reply => {
    for (const id of idsOf(reply)) offered.add(id.split('|')[0] ?? '');
    return reply;
  };
  const command = async (
    name: string,
    options: Record<string, string | number> = {},
    change: object = {},
  ): Promise<Reply> => {
    pass(BETWEEN_MS);
    const optionText = (option: string, value: string | number): string =>
      option === 'spot' && typeof value === 'number' ? spotValue({ id: value }) : String(value);
    const texts = Object.fromEntries(
      Object.entries(options).map(([option, value]) => [option, optionText(option, value)]),
    );
    return noted(await send(aCommand(name, texts, { locale, ...change })));
  };
  const press = async (
    custom_id: string,
    values: string[] = [],
    change: object = {},
  ): Promise<Reply> => {
    pass(BETWEEN_MS);
    pressed.add(custom_id.split('|')[0] ?? '');
    return noted(
      await send(anInteraction({ type: 3, locale, data: { custom_id, values }, ...change })),
    );
  };
  const idIn = (reply: Reply, action: string): string =>
    idsOf(reply).find((id) => id.startsWith(`${action}|`)) ?? `no ${action}`;

  const own = sentencesOf(words.discordApp);
  const errors = sentencesOf(words.errors);
  const unseen = new Set(
    [...own.keys()].filter((key) => !/^(commands|options|direct)\./.test(key)),
  );
  const says = (reply: Reply, ...keys: string[]): Reply => {
    for (const key of keys) {
      expect([key, replyText(reply)]).toEqual([
        key,
        expect.stringMatching(patternOf(own.get(key) ?? [`no sentence ${key}`])),
      ]);
      unseen.delete(key);
    }
    return reply;
  };
  /** In place of the message of a button whose moment has passed; else below it. */
  const refuses = (reply: Reply, code: string, type = 4): void => {
    const pattern = patternOf(errors.get(code) ?? [`no error ${code}`]);
    expect([code, reply.type, reply.data.content]).toEqual([
      code,
      type,
      expect.stringMatching(new RegExp(`^(${pattern.source})$`, 's')),
    ]);
    expect(idsOf(reply)).toEqual([]);
  };
  const passed = (reply: Reply, code = 'discord.buttonExpired'): void => refuses(reply, code, 7);

  // Before a character is linked.
  for (const name of ['claim', 'spot', 'free', 'mine', 'wait'])
    refuses(await command(name, { spot: 1 }, STRANGER), 'discord.linkFirst');
  refuses(await press('take|1|1', [], STRANGER), 'discord.linkFirst');
  refuses(await command('unlink', {}, STRANGER), 'discord.notLinked');
  refuses(await command('link', { code: '22222222' }, STRANGER), 'discord.wrongCode');
  refuses(await command('dance'), 'discord.unknownCommand');
  refuses(await command('mine', {}, { guild_id: '1' }), 'discord.otherServer');
  const { code } = (await app.api.post('/discord/link-code').set(asMember(ann)).expect(201)).body
    .data;
  says(await command('link', { code }), 'linked');
  // After a sent message the server looks for expired holds: it would expire the hold before the button does.
  await app.api
    .put('/push/preferences')
    .set(asMember(ann))
    .send({
      direct_hold_offered: 0,
      direct_hunt_begins: 0,
      direct_confirm_now: 0,
      direct_claim_changed: 0,
    })
    .expect(200);

  // No match, or not the typed text.
  says(await command('mine'), 'nothingMine', 'openBoard');
  refuses(await command('claim', { spot: 'no such spot' }), 'discord.unknownSpot');
  refuses(await command('spot', { spot: 1, date: 'soon' }), 'discord.unknownDate');
  refuses(
    await command('wait', { spot: 1, date: TODAY, start: 'noon', hours: 2 }),
    'discord.unknownHour',
  );
  refuses(await command('free', { character: 'Bob' }), 'discord.notYours');
  refuses(await press(`claim|1|${TODAY}|999`), 'discord.notYours');
  says(await command('free', { date: TODAY, start: 0, hours: 2 }), 'nothingFree');
  says(await command('claim', { spot: 1, date: day(-1) }), 'noFree', 'joinWaitlist');
  says(await press(`join|1|${TODAY}|${ann.id}`), 'nothingToWaitFor');
  refuses(
    await command('wait', { spot: 1, date: TODAY, start: 12, hours: 2 }),
    'wait.nothingTaken',
  );
  refuses(await press(`join-hours|1|${TODAY}|${ann.id}`, ['12-14']), 'wait.nothingTaken');
  for (const id of [
    'take|9|9',
    'decline|9|9',
    'here|9|',
    'release|9|',
    'release!|9|',
    'leave|9',
    'leave!|9',
    'of an older version',
  ])
    passed(await press(id));
  for (const action of ['accept', 'refuse', 'withdraw'])
    passed(await press(`${action}|9`), 'transfer.notFound');
  passed(await press(`start|1|${day(-1)}|${ann.id}`, ['12']));

  // Looking and waiting.
  const bobClaims = (respawn_id: number, date = TODAY) =>
    claimed(app, bob, { respawn_id, date, hour_start: 12, hour_end: 14 });
  const ends = (claim: { id: number }) =>
    app.api.delete(`/admin/claims/${claim.id}`).set(app.admin).expect(200);
  const theirs = await bobClaims(1);
  says(await command('wait', { spot: 1, date: TODAY, start: 12, hours: 2 }), 'joined', 'hours');
  const spot = says(
    await command('spot', { spot: 1, date: TODAY }),
    'claimed',
    'free',
    'legend',
    'waitlist',
    'entry',
    'claim',
  );
  refuses(await press(`join-hours|1|${TODAY}|${ann.id}`, ['12-14']), 'wait.exists');
  const waiting = says(await command('mine'), 'mineEntry', 'leave');
  const leaving = says(await press(idIn(waiting, 'leave')), 'askLeave', 'keep');
  says(await press('keep'), 'mineEntry');
  says(await press(idIn(leaving, 'leave!')), 'left');
  passed(await press(idIn(leaving, 'leave!')));
  const hours = says(await press(idIn(spot, 'join')), 'chooseWaitHours');
  says(await press(idIn(hours, 'join-hours'), ['12-14']), 'joined');

  // Held hours: declined, expired, taken.
  await ends(theirs);
  says(await command('spot', { spot: 1, date: TODAY }), 'held');
  const hold = says(await command('mine'), 'mineHold', 'take', 'decline');
  says(await press(idIn(hold, 'decline')), 'declined');
  for (const action of ['take', 'decline']) passed(await press(idIn(hold, action)));
  const offeredAgain = async (): Promise<Reply> => {
    const claim = await bobClaims(1);
    await command('wait', { spot: 1, date: TODAY, start: 12, hours: 2 });
    await ends(claim);
    return command('mine');
  };
  const late = await offeredAgain();
  pass(11 * 60_000);
  passed(await press(idIn(late, 'take')), 'hold.over');
  const again = await offeredAgain();
  says(await press(idIn(again, 'take')), 'youClaimed');
  for (const action of ['take', 'decline']) passed(await press(idIn(again, action)));

  // Claiming.
  const taken = await bobClaims(2, day(1));
  const starts = says(
    await command('claim', { spot: 2, date: day(1) }),
    'chooseStart',
    'start',
    'upTo',
  );
  says(await press(idIn(spot, 'claim')), 'chooseStart');
  const lengths = says(
    await press(idIn(starts, 'start'), ['10']),
    'startChosen',
    'chooseHours',
    'forHours',
  );
  refuses(
    await command('claim', { spot: 2, date: day(1), start: 12, hours: 2 }),
    'claim.timeConflict',
  );
  refuses(await press(`length|2|${day(1)}|11|${ann.id}`, ['2']), 'claim.timeConflict');
  refuses(await press(`pick|${day(1)}|12|2|${ann.id}`, ['2']), 'claim.timeConflict');
  says(await press(idIn(lengths, 'length'), ['2']), 'youClaimed');
  const free = says(
    await command('free', { date: day(2), start: 12, hours: 2 }),
    'freeThen',
    'chooseSpot',
  );
  says(await press(idIn(free, 'pick'), ['3']), 'youClaimed');
  says(await command('claim', { spot: 3, date: day(3), start: 12, hours: 2 }), 'youClaimed');
  await ends(taken);

  // Confirming and releasing.
  const mine = says(await command('mine'), 'mineClaim', 'release');
  const [first = ''] = idsOf(mine).filter((id) => id.startsWith('release|'));
  refuses(await press(first.replace('release', 'here')), 'confirm.tooEarly');
  now = Date.parse(NOW) + (BEGINS + 50) * 60_000;
  const due = says(await command('mine'), 'here');
  says(await press(idIn(due, 'here')), 'confirmed');
  passed(await press(idIn(due, 'here')), 'confirm.notNeeded');
  const question = says(
    await press(idsOf(mine).findLast((id) => id.startsWith('release|')) ?? ''),
    'askRelease',
    'release',
    'keep',
  );
  await configure({ release_enabled: 0, confirm_enabled: 0 });
  refuses(await press(idIn(question, 'release!')), 'release.disabled');
  refuses(await press(idIn(due, 'here')), 'confirm.disabled');
  await configure({ release_enabled: 1 });
  says(await press(idIn(question, 'release!')), 'released');
  passed(await press(idIn(question, 'release!')));

  // Offers of other members, and own ones.
  const handsOver = async (key: AccessKey, to: AccessKey, date: string): Promise<Reply> => {
    const { id } = await claimed(app, key, { respawn_id: 5, date });
    await handover(app, key, { claim_id: id, to }).expect(201);
    return command('mine');
  };
  const accepting = says(await handsOver(bob, ann, day(4)), 'mineHandover', 'accept', 'decline');
  says(await press(idIn(accepting, 'accept')), 'accepted');
  for (const action of ['accept', 'refuse'])
    passed(await press(idIn(accepting, action)), 'transfer.wasAccepted');
  const refusing = await handsOver(bob, ann, day(5));
  says(await press(idIn(refusing, 'refuse')), 'refused');
  passed(await press(idIn(refusing, 'accept')), 'transfer.wasRefused');
  const withdrawing = says(await handsOver(ann, bob, day(6)), 'mineOffer', 'withdraw');
  says(await press(idIn(withdrawing, 'withdraw')), 'withdrawn');
  passed(await press(idIn(withdrawing, 'withdraw')), 'transfer.notFound');
  const wanted = await claimed(app, ann, { respawn_id: 6, date: day(7) });
  const given = await claimed(app, bob, { respawn_id: 7, date: day(7) });
  await swap(app, bob, { claim_id: given.id, for_claim_id: wanted.id }).expect(201);
  const swapping = says(await command('mine'), 'mineSwap');
  await configure({ transfers_enabled: 0 });
  passed(await press(idIn(swapping, 'accept')), 'transfer.disabled');

  // A name that fits several spots.
  for (const [name, options] of [
    ['claim', { date: day(8), start: 12, hours: 1 }],
    ['wait', { date: day(9), start: 12, hours: 1 }],
    ['spot', { date: day(8) }],
  ] as const) {
    const which = says(await command(name, { spot: 'a', ...options }), 'whichSpot', 'chooseMeant');
    const answer = await press(idIn(which, `which-${name}`), ['8']);
    if (name === 'spot') says(answer, 'claimed');
    else if (name === 'claim') says(answer, 'youClaimed');
    else refuses(answer, 'wait.nothingTaken');
  }

  // Too many commands, and the end of the link.
  pass(10_000);
  for (let n = 0; n < 10; n += 1) await send(aCommand('mine', {}, { locale }));
  refuses(await send(aCommand('mine', {}, { locale })), 'request.tooManyTries');
  pass(10_000);
  says(await command('unlink'), 'unlinked');

  const { logs } = (
    await app.api.get('/admin/activity-log').query({ limit: 500 }).set(app.admin).expect(200)
  ).body.data;
  const viaDiscord = logs.flatMap(({ actor_kind, action }: LogEntry) =>
    actor_kind === 'discord' ? action : [],
  );
  expect([...new Set(viaDiscord)].sort()).toEqual([
    'claim_confirmed',
    'claim_created',
    'claim_released',
    'claim_updated',
    'discord_linked',
    'discord_unlinked',
    'hold_accepted',
    'hold_declined',
    'transfer_ended',
    'wait_created',
    'wait_withdrawn',
  ]);
  expect([...unseen]).toEqual([]);
  expect([...offered].filter((action) => !pressed.has(action))).toEqual([]);
});
