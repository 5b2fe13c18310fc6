import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestApp } from '../../../dev/test/test-app.ts';

/* A stand-in for Discord: it checks our calls by Discord's limits, and signs interactions. */

export const APPLICATION_ID = '123456789012345678';
export const GUILD_ID = '223456789012345678';
export const BOT_TOKEN = 'bot-token.for-tests_0123456789';

interface Call {
  method: string;
  path: string;
  authorization: string | undefined;
  body: unknown;
}

export interface Discord {
  /** For DISCORD_API_URL. */
  url: string;
  /** The calls that it received, in order. */
  calls: Call[];
  /** Answers each call from now on with this, until it is null. */
  refuseWith: (answer: { status: number; body?: unknown } | null) => void;
  public_key: string;
  /** Signs a body for the headers of an interaction. */
  signed: (body: string, at: Date) => { 'x-signature-ed25519': string; 'x-signature-timestamp': string };
}

export async function startDiscord(): Promise<Discord> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const calls: Call[] = [];
  let refusal: { status: number; body?: unknown } | null = null;
  const server = createServer((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || 'null');
      const { method = '', url: path = '', headers } = req;
      calls.push({ method, path, authorization: headers.authorization, body });
      const { status, body: answer = {} } = refusal ?? judge({ method, path, authorization: headers.authorization, body });
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It ends with the process: suites start it outside of tests, too.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/v10`,
    calls,
    refuseWith: (answer) => {
      refusal = answer;
    },
    public_key,
    signed: (body, at) => {
      const timestamp = String(Math.floor(at.getTime() / 1_000));
      return {
        'x-signature-ed25519': sign(null, Buffer.from(timestamp + body), privateKey).toString('hex'),
        'x-signature-timestamp': timestamp,
      };
    },
  };
}

const COMMANDS_PATH = new RegExp(`^/api/v10/applications/${APPLICATION_ID}(/guilds/${GUILD_ID})?/commands$`);
const NAME = /^[-_\p{L}\p{N}]{1,32}$/u;

function judge({ method, path, authorization, body }: Call): { status: number; body?: unknown } {
  if (!COMMANDS_PATH.test(path)) return { status: 404, body: { code: 10002, message: 'Unknown Application' } };
  if (method !== 'PUT') return { status: 405 };
  if (authorization !== `Bot ${BOT_TOKEN}`) return { status: 401, body: { code: 0, message: '401: Unauthorized' } };
  if (!Array.isArray(body) || body.length > 100 || !body.every(isCommand))
    return { status: 400, body: { code: 50035, message: 'Invalid Form Body' } };
  return { status: 200, body };
}

const KNOWN = new Set([
  'type',
  'name',
  'description',
  'description_localizations',
  'options',
  'required',
  'min_length',
  'max_length',
  'min_value',
  'max_value',
  'autocomplete',
]);

/** Discord's limits for commands and their options. */
function isCommand(value: unknown): boolean {
  if (!(value instanceof Object) || !('name' in value) || !('description' in value)) return false;
  const { name, description } = value;
  const localized =
    'description_localizations' in value && value.description_localizations instanceof Object ? value.description_localizations : {};
  const texts = [description, ...Object.values(localized)];
  const options = 'options' in value && Array.isArray(value.options) ? value.options : [];
  return (
    Object.keys(value).every((field) => KNOWN.has(field)) &&
    typeof name === 'string' &&
    NAME.test(name) &&
    name === name.toLowerCase() &&
    texts.every((text) => typeof text === 'string' && text.length >= 1 && text.length <= 100) &&
    options.length <= 25 &&
    options.every(isCommand)
  );
}

/** The owner saves the app. */
export const setUp = ({ api, admin }: TestApp, discord: Discord, change: object = {}) =>
  api
    .put('/admin/discord')
    .set(admin)
    .send({ application_id: APPLICATION_ID, public_key: discord.public_key, bot_token: BOT_TOKEN, guild_id: GUILD_ID, ...change });

let interactions = 900_000_000_000_000_000n;

export const THORA = { id: '323456789012345678', username: 'thora', global_name: 'Thora' };

/** An interaction as Discord sends it. */
export const anInteraction = (change: object = {}): object => {
  interactions += 1n;
  return {
    id: String(interactions),
    application_id: APPLICATION_ID,
    type: 2,
    token: 'interaction-token',
    guild_id: GUILD_ID,
    locale: 'en-US',
    guild_locale: 'en-US',
    member: { user: THORA },
    ...change,
  };
};

export const aCommand = (name: string, options: Record<string, string> = {}, change: object = {}): object =>
  anInteraction({
    data: { name, options: Object.entries(options).map(([option, value]) => ({ name: option, type: 3, value })) },
    ...change,
  });

/** Sends an interaction as Discord does. */
export function interact({ api, ctx }: TestApp, discord: Discord, interaction: object, { at = ctx.now() }: { at?: Date } = {}) {
  const body = JSON.stringify(interaction);
  return api.post('/discord/interactions').set('Content-Type', 'application/json').set(discord.signed(body, at)).send(body);
}
