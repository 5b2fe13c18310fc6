import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';

/** The data of a character that a verification needs. */
export interface GameCharacter {
  name: string;
  former_names: readonly string[];
  comment: string;
  guild_name: string | null;
  guild_rank: string | null;
  /** null: the answer names none. */
  world: string | null;
  is_deleted: boolean;
  /** When it is or was deleted; null: it is not to be. */
  deletion_date: string | null;
  /** Sold to another player within the last months. */
  was_traded: boolean;
  /** The answer has the documented shape, so an omitted field means that the fact is not so. */
  is_whole: boolean;
}

/** The game's data of a name; `failure`: no usable answer. */
export type Finding =
  | { type: 'character'; character: GameCharacter }
  | { type: 'missing' }
  | { type: 'bad-name' }
  | Failure;
export interface Failure {
  type: 'failure';
  reason: string;
  /** The source has an outage: maintenance, or too many requests. */
  is_of_source?: boolean;
  /** Seconds that the source asked to be left alone for. */
  retry_after_seconds?: number | undefined;
}

export interface TibiaDataAnswer {
  finding: Finding;
  /** How old the answer was in a cache on the way here; null: it came from none. */
  age_seconds: number | null;
}

/** Error numbers of the source; the HTTP status says less: a missing character is a 502. */
const MISSING = 20_001;
const OF_SOURCE: readonly number[] = [20_005, 20_006];
const FIRST_BAD_NAME = 10_001;
const LAST_BAD_NAME = 10_007;

/** More than the game allows; longer comments are cut, in characters. */
const MAX_COMMENT_LENGTH = 8_000;

/** A field that is left out, or of another type than documented, counts as not set. */
const text = z.string().catch('');
const guild = z.object({ name: text, rank: text }).catch({ name: '', rank: '' });
const answer = z.object({
  character: z
    .object({
      character: z.object({
        name: text,
        former_names: z.array(text).catch([]),
        comment: text,
        guild,
        world: text,
        traded: z.boolean().catch(false),
        deletion_date: text,
      }),
    })
    .nullable()
    .catch(null),
  information: z.object({
    status: z.object({ http_code: z.number().catch(0), error: z.number().catch(0) }),
  }),
});

/** The fields that the documentation promises beyond the name. */
const wholeAnswer = z.object({
  character: z.object({
    character: z.object({
      former_names: z.array(z.string()).nullish(),
      guild: z.object({ name: z.string().optional(), rank: z.string().optional() }),
      world: z.string().min(1),
      traded: z.boolean().optional(),
      deletion_date: z.string().optional(),
    }),
  }),
});

/** Asks a source of TibiaData's v4 shape for a character. Never throws: what goes wrong is a failure with its reason. */
export const askTibiaData = (
  url: string,
  name: string,
  timeout_ms: number,
): Promise<TibiaDataAnswer> =>
  ask(`${url}/v4/character/${encodeURIComponent(name)}`, findingIn, timeout_ms);

/** Who is online in a world; `missing`: no world has this name. */
export type WorldFinding =
  | { type: 'world'; name: string; online: ReadonlySet<string> }
  | { type: 'missing' }
  | Failure;

/** Asks the source for a world. Never throws. */
export const askWorld = async (
  url: string,
  world: string,
  timeout_ms: number,
): Promise<WorldFinding> =>
  (await ask(`${url}/v4/world/${encodeURIComponent(world)}`, worldIn, timeout_ms)).finding;

async function ask<F extends { type: string } | Failure>(
  address: string,
  read: (body: unknown, http_status: number) => F | Failure,
  timeout_ms: number,
): Promise<{ finding: F | Failure; age_seconds: number | null }> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json', 'user-agent': 'Claimboard' },
      // A server that answers in the source's place must not redirect us to hosts that only we can reach.
      redirect: 'error',
      // Also ends an answer that begins and then never does.
      signal: AbortSignal.timeout(timeout_ms),
    });
    const found = read(await readJson(response), response.status);
    const retry_after_seconds = seconds(response.headers.get('retry-after')) ?? undefined;
    return {
      finding: isFailure(found) ? { ...found, retry_after_seconds } : found,
      age_seconds: seconds(response.headers.get('age')),
    };
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { finding: { type: 'failure', reason }, age_seconds: null };
  }
}

const isFailure = (found: { type: string } | Failure): found is Failure => found.type === 'failure';

/** The source's answer for a world that does not exist. */
const MISSING_WORLD = 11_002;
const worldAnswer = z.object({
  world: z
    .object({
      name: text,
      online_players: z.array(z.object({ name: text }).catch({ name: '' })).nullable(),
    })
    .nullable()
    .catch(null),
  information: z.object({
    status: z.object({ http_code: z.number().catch(0), error: z.number().catch(0) }),
  }),
});

function worldIn(body: unknown, http_status: number): WorldFinding {
  const parsed = worldAnswer.safeParse(body);
  if (!parsed.success)
    return { type: 'failure', reason: `HTTP ${http_status}, not of the documented shape` };
  const { world, information } = parsed.data;
  const { error, http_code } = information.status;
  if (error === MISSING_WORLD) return { type: 'missing' };
  if (error !== 0 || http_code !== 200 || !world?.name)
    return {
      type: 'failure',
      reason: `HTTP ${http_status}, error ${error}`,
      is_of_source: OF_SOURCE.includes(error),
    };
  const names = (world.online_players ?? []).flatMap(({ name }) => (name ? nameKey(name) : []));
  return { type: 'world', name: world.name, online: new Set(names) };
}

function findingIn(body: unknown, http_status: number): Finding {
  const parsed = answer.safeParse(body);
  if (!parsed.success)
    return { type: 'failure', reason: `HTTP ${http_status}, not of the documented shape` };
  const { character, information } = parsed.data;
  const { error, http_code } = information.status;
  if (error === MISSING) return { type: 'missing' };
  if (error >= FIRST_BAD_NAME && error <= LAST_BAD_NAME) return { type: 'bad-name' };
  const found = character?.character;
  if (error !== 0 || http_code !== 200 || !found?.name) {
    return {
      type: 'failure',
      reason: `HTTP ${http_status}, error ${error}`,
      is_of_source: OF_SOURCE.includes(error),
    };
  }
  return {
    type: 'character',
    character: {
      name: found.name,
      former_names: found.former_names,
      comment: found.comment.slice(0, MAX_COMMENT_LENGTH),
      guild_name: found.guild.name || null,
      guild_rank: found.guild.rank || null,
      world: found.world || null,
      is_deleted: found.deletion_date !== '',
      deletion_date: found.deletion_date || null,
      was_traded: found.traded,
      is_whole: wholeAnswer.safeParse(body).success,
    },
  };
}

function seconds(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

/** Bytes of an answer of the character data source, after unpacking; a character's takes some kilobytes. */
const MAX_ANSWER_BYTES = 1_048_576;

/**
 * The JSON of an answer, read in chunks, so that a small compressed body that expands to gigabytes, or an endless one,
 * is dropped at the limit.
 * @throws Error when it is longer, SyntaxError when it is no JSON, and errors of the connection
 */
async function readJson(response: Response): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > MAX_ANSWER_BYTES)
      throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return JSON.parse(text + decoder.decode());
}
