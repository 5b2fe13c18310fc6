import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import type { TestApp } from '../../../dev/test/test-app.ts';
import { answerFault, isCommand, messageFault, webhookFault } from './limits.ts';

/* A stand-in for Discord: it checks our calls by Discord's limits, and signs interactions. */

export const APPLICATION_ID = '123456789012345678';
export const GUILD_ID = '223456789012345678';
export const BOT_TOKEN = 'bot-token.for-tests_0123456789';
export const CLIENT_SECRET = 'client-secret_for-tests_0123456789';

interface Call {
  method: string;
  path: string;
  authorization: string | undefined;
  body: unknown;
}

export interface DirectMessage {
  id: string;
  /** Whom it was sent to. */
  user_id: string;
  content: string;
  components: { components: { custom_id?: string; label: string; url?: string }[] }[];
  /** How often it was edited. */
  edits: number;
}

/** Messages sent after an acknowledgement. */
interface LateAnswer {
  /** Of the message that the acknowledgement promised, or below which the button is; else a new message. */
  isEdit: boolean;
  body: unknown;
}

/** A user as `/users/@me` names them. */
export interface SignedInUser {
  id: string;
  username: string;
  global_name?: string | null;
  locale?: string;
}

export interface Discord {
  /** For DISCORD_API_URL. */
  url: string;
  /** The calls that it received, in order. */
  calls: Call[];
  /** Answers each call from now on with this, until it is null. */
  refuseWith: (answer: { status: number; body?: unknown } | null) => void;
  /** Whether it handles requests, but its answers don't arrive. */
  loseAnswers: (loses: boolean) => void;
  /** Users who accept no direct messages. */
  closed: Set<string>;
  /** The webhook of a channel, as its messages are now; null: it was deleted, and its address answers 404. */
  webhook: { url: string; messages: Map<string, unknown> | null; edits: number };
  /** Who presses Authorize on the page of `authorizeUrl`. */
  visitor: SignedInUser;
  /** A code as Discord gives to the board's callback after the user agreed; each works once. */
  codeFor: (user: SignedInUser, redirect_uri: string) => string;
  /** Users in the guild's server. */
  inServer: Set<string>;
  /** The page on which users agree, for DISCORD_AUTHORIZE_URL. */
  authorizeUrl: string;
  /** The direct messages as their reader sees them now, in order. */
  messages: DirectMessage[];
  /** Tokens of interactions that were acknowledged: until then, later answers are refused. */
  acknowledged: Set<string>;
  /** Answers that followed an acknowledgement, in order. */
  late: LateAnswer[];
  public_key: string;
  /** Signs a body for the headers of an interaction. */
  signed: (
    body: string,
    at: Date,
  ) => { 'x-signature-ed25519': string; 'x-signature-timestamp': string };
}

export async function startDiscord(): Promise<Discord> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey
    .export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('hex');
  const calls: Call[] = [];
  let refusal: Refusal | null = null;
  let losesAnswers = false;
  const closed = new Set<string>();
  const messages: DirectMessage[] = [];
  const acknowledged = new Set<string>();
  const late: LateAnswer[] = [];
  const judgeMessage = directMessages(closed, messages);
  const visitor: { now: SignedInUser } = { now: THORA };
  const signIns = signInCalls();
  const webhook: Discord['webhook'] = { url: '', messages: new Map(), edits: 0 };
  const judgeLate = lateAnswers(acknowledged, late);
  const server = createServer((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      const { method = '', url: path = '', headers } = req;
      if (path.startsWith(AUTHORIZE_PATH))
        return void res
          .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
          .end(authorizePage(path, (redirect_uri) => signIns.codeFor(visitor.now, redirect_uri)));
      const text = Buffer.concat(chunks).toString('utf8');
      const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
      const body: unknown = isForm
        ? Object.fromEntries(new URLSearchParams(text))
        : JSON.parse(text || 'null');
      calls.push({ method, path, authorization: headers.authorization, body });
      const call = { method, path, authorization: headers.authorization, body };
      const { status, body: answer = {} } =
        refusal ??
        signIns.judge(call) ??
        judgeWebhook(call, webhook) ??
        judgeMessage(call) ??
        judgeLate(call) ??
        judge(call);
      if (losesAnswers && path.endsWith('/messages')) res.destroy();
      else
        res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It ends with the process: suites start it outside of tests, too.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    get visitor() {
      return visitor.now;
    },
    set visitor(user) {
      visitor.now = user;
    },
    webhook: Object.assign(webhook, {
      url: `http://127.0.0.1:${port}/api/v10/webhooks/${WEBHOOK_ID}/${WEBHOOK_TOKEN}`,
    }),
    codeFor: signIns.codeFor,
    inServer: signIns.inServer,
    authorizeUrl: `http://127.0.0.1:${port}${AUTHORIZE_PATH}`,
    url: `http://127.0.0.1:${port}/api/v10`,
    calls,
    closed,
    messages,
    acknowledged,
    late,
    refuseWith: (answer) => {
      refusal = answer;
    },
    loseAnswers: (loses) => {
      losesAnswers = loses;
    },
    public_key,
    signed: (body, at) => {
      const timestamp = String(Math.floor(at.getTime() / 1_000));
      return {
        'x-signature-ed25519': sign(null, Buffer.from(timestamp + body), privateKey).toString(
          'hex',
        ),
        'x-signature-timestamp': timestamp,
      };
    },
  };
}

interface Refusal {
  status: number;
  body?: unknown;
}

const refused = (status: number, code: number): Refusal => ({
  status,
  body: { code, message: 'refused' },
});

const WEBHOOK_ID = '623456789012345678';
const WEBHOOK_TOKEN = 'webhook-token_for-tests_0123456789';
const CHANNEL_PATH = new RegExp(
  `^/api/v10/webhooks/${WEBHOOK_ID}/${WEBHOOK_TOKEN}(/messages/(\\d+))?$`,
);
let posted = 640_000_000_000_000_000n;

/** Discord's answers to a webhook's calls; null: the call is about something else. */
function judgeWebhook({ method, path, body }: Call, webhook: Discord['webhook']): Refusal | null {
  const { pathname, searchParams } = new URL(path, 'http://discord.test');
  const [, message, id = ''] = CHANNEL_PATH.exec(pathname) ?? [];
  if (!CHANNEL_PATH.test(pathname)) return null;
  const { messages } = webhook;
  if (messages === null) return refused(404, 10015);
  if (webhookFault(body) !== null) return refused(400, 50035);
  if (message === undefined) {
    if (method !== 'POST') return { status: 405 };
    posted += 1n;
    messages.set(String(posted), body);
    return searchParams.get('wait') === 'true'
      ? { status: 200, body: { padding: 'x'.repeat(6_000), id: String(posted) } }
      : { status: 204 };
  }
  if (method !== 'PATCH') return { status: 405 };
  if (!messages.has(id)) return refused(404, 10008);
  messages.set(id, body);
  webhook.edits += 1;
  return { status: 200, body: { id } };
}

const AUTHORIZE_PATH = '/oauth2/authorize';

/** Discord's page on which a user agrees, or does not. It knows no address but the one of the request: Discord has a list. */
function authorizePage(path: string, codeFor: (redirect_uri: string) => string): string {
  const { searchParams } = new URL(path, 'http://discord.test');
  const redirect_uri = searchParams.get('redirect_uri') ?? '';
  const back = (answer: Record<string, string>): string => {
    const query = new URLSearchParams({ ...answer, state: searchParams.get('state') ?? '' });
    return `${redirect_uri}?${query}`.replaceAll('&', '&amp;');
  };
  const isAsked =
    searchParams.get('response_type') === 'code' &&
    searchParams.get('client_id') === APPLICATION_ID &&
    /^identify( guilds\.members\.read)?$/.test(searchParams.get('scope') ?? '');
  return isAsked
    ? `<a href="${back({ code: codeFor(redirect_uri) })}">Authorize</a> <a href="${back({ error: 'access_denied' })}">Cancel</a>`
    : 'Invalid OAuth2 request';
}

interface SignInCalls extends Pick<Discord, 'codeFor' | 'inServer'> {
  judge: (call: Call) => Refusal | null;
}

/** Discord's answers to the calls of a sign-in. */
function signInCalls(): SignInCalls {
  const codes = new Map<string, { user: SignedInUser; redirect_uri: string }>();
  const tokens = new Map<string, SignedInUser>();
  const inServer = new Set<string>();
  let made = 0;
  const basic = `Basic ${Buffer.from(`${APPLICATION_ID}:${CLIENT_SECRET}`).toString('base64')}`;
  return {
    inServer,
    codeFor: (user, redirect_uri) => {
      made += 1;
      const code = `oauth-code-${made}`;
      codes.set(code, { user, redirect_uri });
      return code;
    },
    judge: ({ method, path, authorization, body }) => {
      if (method === 'POST' && path === '/api/v10/oauth2/token') {
        if (authorization !== basic) return { status: 401, body: { error: 'invalid_client' } };
        const fields: Record<string, unknown> = { ...(body instanceof Object ? body : {}) };
        const code = String(fields.code);
        const given = codes.get(code);
        codes.delete(code);
        if (
          !given ||
          fields.grant_type !== 'authorization_code' ||
          fields.redirect_uri !== given.redirect_uri
        )
          return { status: 400, body: { error: 'invalid_grant' } };
        const access_token = `discord-access-token-${code}`;
        tokens.set(access_token, given.user);
        return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 604_800 } };
      }
      if (!/^\/api\/v10\/users\/@me(\/guilds\/|$)/.test(path) || method !== 'GET') return null;
      const user = tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
      if (!user) return refused(401, 0);
      if (path.endsWith('/users/@me')) return { status: 200, body: user };
      return path.endsWith(`/guilds/${GUILD_ID}/member`) && inServer.has(user.id)
        ? { status: 200, body: { user, roles: [] } }
        : refused(404, 10004);
    },
  };
}

/** Channels of direct messages: each user's has the user's id, with another first digit. */
const channelOf = (user_id: string): string => `7${user_id.slice(1)}`;

/** Discord's answers to calls on direct messages, by its limits; null: the call is about something else. */
function directMessages(
  closed: ReadonlySet<string>,
  messages: DirectMessage[],
): (call: Call) => Refusal | null {
  const nonces = new Map<string, string>();
  return ({ method, path, authorization, body }) => {
    const [, user_or_channel, message_id] =
      /^\/api\/v10\/(users\/@me\/channels|channels\/(?:\d+)\/messages)(?:\/(\d+))?$/.exec(path) ??
      [];
    if (user_or_channel === undefined) return null;
    if (authorization !== `Bot ${BOT_TOKEN}`) return refused(401, 0);
    const fields: Record<string, unknown> = { ...(body instanceof Object ? body : {}) };
    if (user_or_channel.startsWith('users')) {
      const { recipient_id } = fields;
      return typeof recipient_id === 'string'
        ? { status: 200, body: { id: channelOf(recipient_id), type: 1 } }
        : refused(400, 50035);
    }
    const channel = user_or_channel.split('/')[1] ?? '';
    const known = messages.find(({ id }) => id === message_id);
    if (message_id !== undefined && !known) return refused(404, 10008);
    if (method === 'DELETE' && known) {
      messages.splice(messages.indexOf(known), 1);
      return { status: 204 };
    }
    if (!isDirectMessage(fields)) return refused(400, 50035);
    const { content, components } = fields;
    if (method === 'PATCH' && known) {
      Object.assign(known, { content, components, edits: known.edits + 1 });
      return { status: 200, body: { content, id: known.id } };
    }
    const user_id = `3${channel.slice(1)}`;
    if (closed.has(user_id)) return refused(403, 50007);
    const nonce = String(fields.nonce);
    const id = nonces.get(nonce) ?? String(800_000_000_000_000_000n + BigInt(nonces.size));
    if (!nonces.has(nonce)) messages.push({ id, user_id, content, components, edits: 0 });
    nonces.set(nonce, id);
    // As long as Discord's: the id comes last.
    return { status: 200, body: { content, padding: 'x'.repeat(4_000), id } };
  };
}

const isDirectMessage = (
  fields: Record<string, unknown>,
): fields is Pick<DirectMessage, 'content' | 'components'> & Record<string, unknown> =>
  Boolean(fields.content) &&
  Array.isArray(fields.components) &&
  messageFault(fields, true) === null;

const WEBHOOK_PATH = new RegExp(
  `^/api/v10/webhooks/${APPLICATION_ID}/([^/]+)(/messages/@original)?$`,
);

/** Discord's answers to calls with an interaction's token; null: the call is about something else. */
function lateAnswers(
  acknowledged: ReadonlySet<string>,
  late: LateAnswer[],
): (call: Call) => Refusal | null {
  return ({ method, path, body }) => {
    const [, token, original] = WEBHOOK_PATH.exec(path) ?? [];
    if (token === undefined) return null;
    if (!acknowledged.has(token)) return refused(404, 10015);
    if (method !== (original ? 'PATCH' : 'POST')) return { status: 405 };
    // An edit can't make a message visible to its reader only.
    const isTaken =
      messageFault(body, !original) === null &&
      !(original && body instanceof Object && 'flags' in body);
    if (!isTaken) return refused(400, 50035);
    late.push({ isEdit: original !== undefined, body });
    return { status: 200, body: { id: '1' } };
  };
}

const COMMANDS_PATH = new RegExp(
  `^/api/v10/applications/${APPLICATION_ID}(/guilds/${GUILD_ID})?/commands$`,
);

function judge({ method, path, authorization, body }: Call): { status: number; body?: unknown } {
  if (!COMMANDS_PATH.test(path))
    return { status: 404, body: { code: 10002, message: 'Unknown Application' } };
  if (method !== 'PUT') return { status: 405 };
  if (authorization !== `Bot ${BOT_TOKEN}`)
    return { status: 401, body: { code: 0, message: '401: Unauthorized' } };
  if (!Array.isArray(body) || body.length > 100 || !body.every(isCommand))
    return { status: 400, body: { code: 50035, message: 'Invalid Form Body' } };
  return { status: 200, body };
}

/** A log that keeps secrets: the server's own removes most, so a test of it cannot see that our code logs one. */
export const unredactedLog = (lines: string[]): Logger =>
  pino({ level: 'trace' }, { write: (line) => void lines.push(line) });

/** The owner saves the app. */
export const setUp = ({ api, admin }: TestApp, discord: Discord, change: object = {}) =>
  api
    .put('/admin/discord')
    .set(admin)
    .send({
      application_id: APPLICATION_ID,
      public_key: discord.public_key,
      bot_token: BOT_TOKEN,
      guild_id: GUILD_ID,
      ...change,
    });

/** Each interaction's token begins with it. */
export const INTERACTION_TOKEN = 'interaction-token-';
let interactions = 900_000_000_000_000_000n;

export const THORA = { id: '323456789012345678', username: 'thora', global_name: 'Thora' };

/** An interaction as Discord sends it. */
export const anInteraction = (change: object = {}): Record<string, unknown> & { token: string } => {
  interactions += 1n;
  return {
    id: String(interactions),
    application_id: APPLICATION_ID,
    type: 2,
    token: INTERACTION_TOKEN + String(interactions),
    guild_id: GUILD_ID,
    locale: 'en-US',
    guild_locale: 'en-US',
    member: { user: THORA },
    ...change,
  };
};

export const aCommand = (
  name: string,
  options: Record<string, string> = {},
  change: object = {},
): object =>
  anInteraction({
    data: {
      name,
      options: Object.entries(options).map(([option, value]) => ({ name: option, type: 3, value })),
    },
    ...change,
  });

/** Discord waits so long for the first answer, in milliseconds. */
const MAX_WAIT_MS = 3_000;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;

/** Sends an interaction as Discord does, and refuses an answer that Discord would refuse. */
export const interact = (app: TestApp, discord: Discord, interaction: object) =>
  interactAt(app, discord, { interaction, at: app.ctx.now() });

/** @param at when Discord signed it */
export function interactAt(
  { api }: TestApp,
  discord: Discord,
  { interaction, at }: { interaction: object; at: Date },
) {
  const body = JSON.stringify(interaction);
  return api
    .post('/discord/interactions')
    .set('Content-Type', 'application/json')
    .set(discord.signed(body, at))
    .timeout({ response: MAX_WAIT_MS })
    .send(body)
    .expect(({ status, body: answer }) => {
      if (status !== 200) return;
      const fault = answerFault(interaction, answer);
      if (fault !== null)
        throw new Error(`Discord would refuse ${fault}: ${JSON.stringify(answer)}`);
      if ([DEFERRED_MESSAGE, DEFERRED_UPDATE].includes(answer.type))
        discord.acknowledged.add('token' in interaction ? String(interaction.token) : '');
    });
}
