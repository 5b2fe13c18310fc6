import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Pressed, readPressed } from '../../../notifications/discord-app/custom-ids.ts';
import { spotValue } from '../../../notifications/discord-app/option-text.ts';
import type { HttpRequest, HttpResponse } from './call.ts';
import { type Command, EARLIER, type Outcome } from './command.ts';
import { type Choice, choicesOf, messageBody } from './mailbox.ts';
import { activeIn, type Model } from './model.ts';
import { outcomeOf } from './request-of.ts';

/* Members who act through Discord: the same commands as signed interactions, and the outcomes in the words of the answers. */

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const APPLICATION_ID = '123456789012345678';

/** The guild's app, as it is stored. */
export const DISCORD_APP = {
  id: 1,
  application_id: APPLICATION_ID,
  guild_id: null,
  bot_token: 'a-bot-token-of-a-world',
  public_key: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
  registered_at: null,
  register_error: null,
} as const;

/** The Discord users of characters who are linked when a world begins. */
export const LINKED: Readonly<Record<string, string>> = {
  Bea: '323456789012345678',
  Dee: '423456789012345678',
};

interface Around extends Pick<Sending, 'now' | 'number'> {
  model: Model;
  /** Whether a character is linked now. */
  isLinked: (who: string) => boolean;
  /** No other command is sent at the same time. */
  isAlone: boolean;
}

/** A member's command as an interaction; null: it can't be given through Discord, or the member is not linked. */
export function interactionOf(
  command: Command,
  { model, isLinked, now, number, isAlone }: Around,
): HttpRequest | null {
  if (!('who' in command) || command.who === null || !isLinked(command.who)) return null;
  const data = dataOf(command, model, isAlone);
  return data && interaction(command.who, data, { now, number });
}

interface Sending {
  now: Date;
  /** A number that no other interaction of this world has. */
  number: number;
  /** The message whose button is pressed. */
  message_id?: string | undefined;
}

/** A signed interaction of a character's Discord user. */
export function interaction(
  who: string,
  data: object,
  { now, number, message_id }: Sending,
): HttpRequest {
  const type = 'custom_id' in data ? 3 : 2;
  const user = { id: LINKED[who], username: who };
  const message = message_id === undefined ? {} : { message: { id: message_id } };
  const ids = { id: String(number), application_id: APPLICATION_ID };
  const body = JSON.stringify({
    ...ids,
    type,
    token: 'token',
    locale: 'en-US',
    user,
    data,
    ...message,
  });
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex');
  const headers = { 'X-Signature-Ed25519': signature, 'X-Signature-Timestamp': timestamp };
  return { method: 'POST', path: '/api/discord/interactions', headers, body };
}

function dataOf(command: Command, model: Model, isAlone: boolean): object | null {
  switch (command.do) {
    case 'accept':
      return { custom_id: `take|${command.wait}|${model.waits.get(command.wait)?.hold ?? 0}` };
    case 'decline':
      return { custom_id: `decline|${command.wait}|${model.waits.get(command.wait)?.hold ?? 0}` };
    case 'leave':
      return { custom_id: `leave!|${command.wait}` };
    case 'give back':
      return { custom_id: `release!|${command.claim}|${command.part ?? ''}` };
    case 'confirm':
      return { custom_id: `here|${command.claim}|${command.part ?? ''}` };
    case 'queue': {
      const { asAdmin, least, spot, date, start, end, who } = command;
      return asAdmin || least !== 1
        ? null
        : {
            name: 'wait',
            options: optionsOf({
              spot: spotValue({ id: spot }),
              date,
              start,
              hours: end - start,
              character: who,
            }),
          };
    }
    case 'submit': {
      const [claim, ...others] = command.claims;
      const isPlain =
        claim &&
        others.length === 0 &&
        !claim.second &&
        !claim.waiting &&
        claim.date !== null &&
        claim.hours;
      // In a single_claim event the command leaves the date out: that must not change meanwhile.
      const isSingle = [...model.events.values()].some(({ active, single }) => active && single);
      if (!isPlain || !isAlone || isSingle || command.asAdmin || command.once !== null) return null;
      const { spot, date, start, hours } = claim;
      return {
        name: 'claim',
        options: optionsOf({
          spot: spotValue({ id: spot }),
          date,
          start,
          hours,
          character: command.who,
        }),
      };
    }
    default:
      return null;
  }
}

const optionsOf = (options: Readonly<Record<string, string | number | null>>): object[] =>
  Object.entries(options).map(([name, value]) => ({ name, value: String(value) }));

const sentences = z.record(z.string(), z.unknown());
const locale = z
  .object({ discordApp: z.record(z.string(), z.unknown()), errors: sentences })
  .parse(
    JSON.parse(
      readFileSync(new URL('../../../../shared/locales/en.json', import.meta.url), 'utf8'),
    ),
  );

/** Matches a sentence, whatever its parameters are. */
function patternOf(sentence: unknown, ends = '$'): RegExp {
  const text = String(sentence).replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.replace(/\{\{.*?\}\}/g, '.*')}${ends}`, 's');
}

const { youClaimed, joined, declined, left, released, confirmed, accepted, refused, withdrawn } =
  locale.discordApp;
const DONE = {
  submit: patternOf(youClaimed, ''),
  accept: patternOf(youClaimed),
  queue: patternOf(joined),
  'take offer': patternOf(accepted),
  'refuse offer': patternOf(refused),
  'withdraw offer': patternOf(withdrawn),
  decline: patternOf(declined),
  leave: patternOf(left),
  'give back': patternOf(released),
  confirm: patternOf(confirmed),
};

/** The code of each refusal, by its sentence. */
const REFUSALS = flat(locale.errors).map(([path, sentence]) => ({
  code: path.replace(/_(one|many|other)$/, ''),
  pattern: patternOf(sentence),
}));

function flat(tree: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]): [string, string][] => {
    const inner = sentences.safeParse(value).data;
    return inner
      ? flat(inner).map(([path, text]) => [`${name}.${path}`, text])
      : [[name, String(value)]];
  });
}

const reply = z.object({
  type: z.number(),
  data: messageBody.extend({ content: z.string().default('') }),
});

/** @returns null: the answer was put off, so that it is not known */
export function discordOutcomeOf(command: Command, answer: HttpResponse): Outcome | null {
  if (answer.status !== 200) return outcomeOf(answer);
  const { data: message } = reply.safeParse(JSON.parse(answer.body));
  if (!message) return null;
  const { content } = message.data;
  const done = Object.entries(DONE).find(([what]) => what === command.do)?.[1];
  const inWords = { data: null, params: {}, isInWords: true } as const;
  if (done?.test(content)) return { ...inWords, status: 200, code: '' };
  const codes = REFUSALS.flatMap(({ code, pattern }) => (pattern.test(content) ? [code] : []));
  const isEarlier = codes.some((code) => /^(discord|session|key)\./.test(code));
  return { ...inWords, status: 409, code: isEarlier ? EARLIER : (codes[0] ?? content), codes };
}

/** Discord's answer that takes the place of the pressed button's message. */
const UPDATE = 7;

/** What an answer lets its reader press next; null: the message with the pressed button stays. */
export function choicesIn(answer: HttpResponse): Choice[] | null {
  const { data: message } = reply.safeParse(JSON.parse(answer.body));
  return message ? choicesOf(message.data.components) : null;
}

/** Whether an answer takes the place of the message whose button was pressed. */
export const isUpdate = (answer: HttpResponse): boolean =>
  reply.safeParse(JSON.parse(answer.body)).data?.type === UPDATE;

/** The command that a press gives; null: it only shows something, or asks before. */
export function commandPressed(
  { custom_id, values }: Choice,
  who: string,
  model: Model,
): Command | null {
  const pressed = readPressed(custom_id, values);
  return pressed && commandOf(pressed, who, model);
}

function commandOf(pressed: Pressed, who: string, model: Model): Command | null {
  switch (pressed.action) {
    case 'take':
      return { do: 'accept', wait: pressed.wait_id, who };
    case 'decline':
      return { do: 'decline', wait: pressed.wait_id, who };
    case 'leave!':
      return { do: 'leave', wait: pressed.wait_id, who };
    case 'here':
      return { do: 'confirm', claim: pressed.claim_id, part: pressed.part, who };
    case 'release!':
      return { do: 'give back', claim: pressed.claim_id, part: pressed.part, who };
    case 'accept':
      return { do: 'take offer', offer: pressed.transfer_id, who };
    case 'refuse':
      return { do: 'refuse offer', offer: pressed.transfer_id, who };
    case 'withdraw':
      return { do: 'withdraw offer', offer: pressed.transfer_id, who };
    case 'length':
    case 'pick': {
      const { spot_id: spot, date, start, hours } = pressed;
      const isSingle = activeIn(model)?.[1].single === true;
      const claim = {
        spot,
        date: isSingle ? null : date,
        start,
        hours,
        second: null,
        waiting: null,
      };
      return { do: 'submit', who, asAdmin: false, once: null, claims: [claim] };
    }
    case 'join-hours': {
      const { hour_start: start, hour_end: end } = pressed.range;
      return {
        do: 'queue',
        who,
        asAdmin: false,
        spot: pressed.spot_id,
        date: pressed.date,
        start,
        end,
        least: 1,
      };
    }
    default:
      return null;
  }
}
