import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { DEFAULT_HORIZON_DAYS } from '../shared/rules/claim-time.ts';
import { ADMIN_NAME, tidyName } from '../shared/rules/names.ts';
import { isTimeZone } from '../shared/rules/server-save.ts';
import { characterCheck } from '../shared/schemas/character.ts';
import { boardVisibility } from '../shared/schemas/config.ts';
import {
  MAX_SECRET_LENGTH,
  MAX_USERNAME_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '../shared/schemas/session.ts';

const wholeNumber = (min: number, max: number): z.ZodType<number, unknown> => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .trim()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
};

/** A hundred years; 0 means for ever. */
const MAX_DAYS = 36_500;

/** All settings. Their descriptions and defaults are the table in `server/ops/README.md` (`check/generated-docs.mjs --write`). */
export const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on. `0` picks a free one.'),
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'must be an address or a host name, such as 127.0.0.1')
    .default('0.0.0.0')
    .describe('Address to listen on. Behind a proxy on the same machine, use `127.0.0.1`.'),
  DATA_DIR: z
    .string()
    .default('data')
    .describe('Folder of the SQLite database and of the backups.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must look like postgres://user:password@host:5432/database')
    .optional()
    .describe(
      '`postgres://user:password@host:5432/database` uses PostgreSQL instead of SQLite. Several servers can share it. Give them all the same settings: one that differs from the server that started first runs no jobs.',
    ),
  ADMIN_USERNAME: z
    .string()
    .transform(tidyName)
    .pipe(
      z
        .string()
        .min(1, 'must not be empty')
        .max(MAX_USERNAME_LENGTH, `must have at most ${MAX_USERNAME_LENGTH} characters`)
        .regex(ADMIN_NAME, 'must have Latin letters, digits and common punctuation'),
    )
    .default('admin')
    .describe('Name of the first admin. Only used at the first start.'),
  ADMIN_PASSWORD: z
    .string()
    .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
    // A longer one could be set, and never typed.
    .max(MAX_SECRET_LENGTH, `must have at most ${MAX_SECRET_LENGTH} characters`)
    .optional()
    .describe(
      'Password of the first admin, at least 6 characters. If not set, the first start generates one and prints it once.',
    ),
  BOARD_VISIBILITY: z
    .enum(boardVisibility.options, 'must be members or public')
    .default('members')
    .describe('Who can read the board: `members` or `public`.'),
  SS_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as America/Los_Angeles')
    .default('America/Los_Angeles')
    .describe('Time zone of the daily server save.'),
  SS_HOUR: wholeNumber(0, 23)
    .default(1)
    .describe('Hour of the server save in that zone, 0 to 23: SS+0 starts then.'),
  HORIZON_DAYS: wholeNumber(1, 366)
    .default(DEFAULT_HORIZON_DAYS)
    .describe('How many days ahead members can claim while no event is active, 1 to 366.'),
  CHARACTER_CHECK: z
    .enum(characterCheck.options, 'must be tibiadata or manual')
    .default('tibiadata')
    .describe(
      "How members prove that a character is theirs: `tibiadata` looks for a code in the character's comment, `manual` leaves it to an admin.",
    ),
  CHARACTER_API_URL: z
    .url({ protocol: /^https?$/, error: 'must look like https://api.tibiadata.com' })
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://api.tibiadata.com')
    .describe("Source of the character data. It must answer like TibiaData's API, version 4."),
  CHARACTER_CHECK_SECONDS: wholeNumber(1, 3600)
    .default(60)
    .describe(
      'Shortest time between two look-ups of the same character, in seconds, 1 to 3,600. Each server counts for itself.',
    ),
  GUILD_NAME: z
    .string()
    .transform(tidyName)
    .pipe(z.string().min(1, 'must not be empty'))
    .optional()
    .describe(
      'Only members of this guild can verify, and their rank can set their member type. Used until an admin sets a guild on the dashboard.',
    ),
  TRUST_PROXY: z
    .enum(['0', '1'], 'must be 0 or 1')
    .default('0')
    .describe(
      '`1` if a reverse proxy in front of the server sets `X-Forwarded-For`. Otherwise `0`, or anyone can fake their address.',
    ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must look like https://board.example' })
    .refine(
      (url) => !URL.canParse(url) || (new URL(url).pathname === '/' && !/[?#@]/.test(url)),
      'must be an address without a path, such as https://board.example',
    )
    .transform((url) => new URL(url).origin)
    .optional()
    .describe(
      'Address at which members open the board, such as `https://board.example`. Requests to other hosts and live connections from other pages are refused. Calendar links and `npm run doctor` use it.',
    ),
  ALLOW_PRIVATE_DESTINATIONS: z
    .enum(['0', '1'], 'must be 0 or 1')
    .default('0')
    .describe(
      '`1` lets notifications go to private addresses and over plain http, for example in a home network.',
    ),
  DISCORD_API_URL: z
    .url({ protocol: /^https?$/, error: 'must look like https://discord.com/api/v10' })
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://discord.com/api/v10')
    .describe("Base address of Discord's API, for the Discord app. Change it only for tests."),
  DISCORD_AUTHORIZE_URL: z
    .url({ protocol: /^https?$/, error: 'must look like https://discord.com/oauth2/authorize' })
    .default('https://discord.com/oauth2/authorize')
    .describe("Discord's page that members sign in on. Change it only for tests."),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,200}$/, 'must have 16 to 200 characters and no spaces')
    .optional()
    .describe(
      'Lets other machines read `/metrics` with `Authorization: Bearer …`; 16 to 200 characters. Without it, only this machine can. With `TRUST_PROXY=1`, the proxy must send `X-Forwarded-For`, or all its requests count as this machine.',
    ),
  ARCHIVE_AFTER_DAYS: wholeNumber(0, MAX_DAYS)
    .default(0)
    .describe(
      'Move claims to the archive this many days after they, or their event, ended. Admins can still read them there, but they cannot be moved back. `0` never does.',
    ),
  ACTIVITY_KEPT_DAYS: wholeNumber(0, MAX_DAYS)
    .default(0)
    .describe(
      'Delete entries of the activity log that are older than this many days. `0` keeps them.',
    ),
  UNDO_KEPT_DAYS: wholeNumber(0, MAX_DAYS)
    .default(90)
    .describe('How many days a deletion can be undone. `0` keeps undos for ever.'),
  BACKUP_HOURS: wholeNumber(0, 8_784)
    .default(24)
    .describe(
      'Hours between two automatic backups. `0` only backs up before an update changes the database.',
    ),
  BACKUPS_KEPT: wholeNumber(0, 1_000)
    .default(7)
    .describe(
      'How many backups of each kind to keep in `DATA_DIR/backups`, beside one for each of the last 7 days. `0` makes no automatic ones. Those of `npm run backup` are never deleted.',
    ),
  LOG_LEVEL: z
    .enum(
      ['silent', 'error', 'warn', 'info', 'debug'],
      'must be silent, error, warn, info or debug',
    )
    .default('info')
    .describe(
      '`silent`, `error`, `warn`, `info` (includes refused requests, each kind at most once a minute) or `debug` (all requests).',
    ),
});
export type Env = z.infer<typeof settings>;

type Variables = Readonly<Record<string, string | undefined>>;

/** Beside package.json. */
const SETTINGS_FILE = path.resolve(import.meta.dirname, '../claimboard.env');

/** The file that `readSettings` reads; null: none. `SETTINGS_FILE` names another one, or none if it is empty. */
export const settingsFileOf = ({
  SETTINGS_FILE: named = SETTINGS_FILE,
}: Variables): string | null => named || null;

/**
 * Reads the settings from the environment and, where it does not set them, from a file.
 * @throws Error with one line that names the first bad setting
 */
export function readSettings(variables: Variables, file: string | null = null): Env {
  return readEnv(file === null ? variables : { ...variablesIn(file), ...variables });
}

/** `parseEnv` takes the rest of an unquoted value for a comment, without a space before it, too. */
const HASH_IN_VALUE = /^\s*(export\s+)?\w+\s*=(\s*(?!["'`])[^\s#]([^#]*[^\s#])?)?#/;

function variablesIn(file: string): Variables {
  const name = path.basename(file);
  const text = readUtf8(file)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n');
  for (const [nth, line] of text.split('\n').entries()) {
    if (!/^\s*(#|$|(export\s+)?\w+\s*=)/.test(line))
      throw new Error(`${name}, line ${nth + 1}, is not NAME=value`);
    if (HASH_IN_VALUE.test(line))
      throw new Error(`${name}, line ${nth + 1}: put a value that contains # in quotes`);
  }
  const found = parseEnv(text);
  const unknown = Object.keys(found).find((each) => !(each in settings.shape));
  if (unknown === undefined) return found;
  const meant = nearestSetting(unknown);
  throw new Error(
    `${unknown} in ${name} is no setting. ${meant ? `Did you mean ${meant}?` : 'server/ops/README.md lists all settings.'}`,
  );
}

function readUtf8(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      error.code === 'ENOENT' &&
      file === SETTINGS_FILE
    )
      return '';
    throw new Error(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Letters of a name that may be wrong, so that a setting is suggested for it. */
const MAX_TYPOS = 2;

/** The setting that a mistyped name was meant to be; null if it resembles none. */
function nearestSetting(name: string): string | null {
  const typed = name.toUpperCase();
  const [nearest] = Object.keys(settings.shape)
    .map((setting) => ({ setting, typos: distance(typed, setting) }))
    .filter(({ setting, typos }) => typos <= Math.min(MAX_TYPOS, setting.length / 3))
    .sort((a, b) => a.typos - b.typos);
  return nearest?.setting ?? null;
}

/** How many letters have to be added, removed or replaced to make one text the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (letter === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/**
 * Variables of the environment that look like a mistyped setting. They are no errors: most variables belong to other programs.
 * Without an underscore, as in POST, a name says too little.
 */
export function mistypedSettings(variables: Variables): { name: string; meant: string }[] {
  return Object.keys(variables).flatMap((name) => {
    if (name in settings.shape || !name.includes('_')) return [];
    const meant = nearestSetting(name);
    return meant !== null && !variables[meant] ? [{ name, meant }] : [];
  });
}

/** Without white space around it, and without one pair of quotes: shells, editors and other programs leave them. */
function trimmed(value: string): string {
  const text = value.trim();
  const [, , inner = text] = /^(["'])(.*)\1$/s.exec(text) ?? [];
  return inner.trim();
}

/**
 * Reads the settings from environment variables; an empty one counts as not set.
 * @throws Error with one line that names the first bad setting
 */
export function readEnv(variables: Variables): Env {
  const set = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value && trimmed(value) !== '' ? [[name, trimmed(value)]] : [],
    ),
  );
  const parsed = settings.safeParse(set);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0]);
  const secret = name === 'ADMIN_PASSWORD' || name === 'DATABASE_URL' || name === 'METRICS_TOKEN';
  throw new Error(
    `${name} ${issue?.message}${secret ? '' : ` (it is ${JSON.stringify(set[name])})`}`,
  );
}
