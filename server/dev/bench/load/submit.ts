import { sign } from 'node:crypto';
import { omit } from '../../../../shared/omit.ts';
import { type Guild, type Lane, numberedClaim, numberedCommand } from '../numbered-claim.ts';
import { median } from '../repeat.ts';
import { type Answered, ask } from './poster.ts';

export interface Submissions {
  url: string;
  guild: Guild;
  lane: Lane;
  /** The number of the first submission. */
  from: number;
}

const CLIENTS = 20;

/** Twenty clients, each of which sends its next request as soon as it has the response. @throws Error if `send` does */
async function together(
  seconds: number,
  send: () => Promise<Answered>,
): Promise<{ per_second: number; p99_ms: number }> {
  const since = performance.now();
  const end = since + seconds * 1_000;
  const took: number[] = [];
  const client = async (): Promise<void> => {
    while (performance.now() < end) took.push((await send()).ms);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const duration_s = (performance.now() - since) / 1_000;
  took.sort((a, b) => a - b);
  return {
    per_second: took.length / duration_s,
    p99_ms: took[Math.floor(took.length * 0.99)] ?? 0,
  };
}

/** Submits with twenty clients. @throws Error if one is refused */
export async function submitTogether({
  url,
  guild,
  lane,
  from,
  seconds,
}: Submissions & { seconds: number }): Promise<{
  per_second: number;
  p99_ms: number;
  next: number;
}> {
  let next = from;
  const figures = await together(seconds, () => submit({ url, guild, lane, from: next++ }));
  return { ...figures, next };
}

/**
 * The same through Discord, as signed interactions.
 * @param private_key of the guild's app, in PEM
 * @throws Error if one is refused
 */
export async function commandTogether({
  url,
  guild,
  lane,
  from,
  seconds,
  private_key,
}: Submissions & { seconds: number; private_key: string }): Promise<{
  p99_ms: number;
  next: number;
}> {
  let next = from;
  const command = async (): Promise<Answered> => {
    const body = numberedCommand(guild, lane, next++);
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = sign(null, Buffer.from(timestamp + body), private_key).toString('hex');
    const headers = { 'x-signature-timestamp': timestamp, 'x-signature-ed25519': signature };
    const answer = await ask(`${url}/api/discord/interactions`, { method: 'POST', headers, body });
    // Refusals are answered 200, too.
    if (answer.status !== 200 || !answer.body.includes(' claimed '))
      throw new Error(`a command was refused: ${answer.status} ${answer.body.toString()}`);
    return answer;
  };
  const { p99_ms } = await together(seconds, command);
  return { p99_ms, next };
}

/** Submits one after the other. @returns the median, in milliseconds */
export async function submitAlone({
  url,
  guild,
  lane,
  from,
  count,
}: Submissions & { count: number }): Promise<{ ms: number }> {
  const took: number[] = [];
  for (let n = from; n < from + count; n++)
    took.push(await submitOne({ url, guild, lane, from: n }));
  return { ms: median(took) };
}

/** @returns the duration in milliseconds. @throws Error if it is refused */
export const submitOne = async (submission: Submissions): Promise<number> =>
  (await submit(submission)).ms;

async function submit({ url, guild, lane, from }: Submissions): Promise<Answered> {
  const answer = await ask(`${url}/api/claims`, {
    method: 'POST',
    body: numberedClaim(guild, lane, from).body,
  });
  if (answer.status !== 201)
    throw new Error(`a submission was refused: ${answer.status} ${answer.body.toString()}`);
  return answer;
}

/** What a member's page reads besides the spots when it polls a changed board (`client/live/read-board.ts`). */
const CALLS_OF_CHANGE = [
  'config',
  'categories',
  'member-types',
  'events/active',
  'waits',
  'transfers',
  'standing',
  'stars',
  'claims/mine',
];

interface PollCost {
  requests: number;
  wire_bytes: number;
}

/** Polls as a member's page in Chromium does. @returns the cost of the first poll, and of the next one, when the board is unchanged */
export async function pollTwice({
  url,
  key,
}: {
  url: string;
  key: string;
}): Promise<{ changed: PollCost; unchanged: PollCost }> {
  const headers = { 'x-access-key': key, 'accept-encoding': 'gzip, deflate, br, zstd' };
  const poll = async (validator: Record<string, string>): Promise<PollCost & { etag: string }> => {
    const board = await ask(`${url}/api/respawns`, {
      keep: false,
      headers: { ...headers, ...validator },
    });
    const calls = board.status === 304 ? [] : CALLS_OF_CHANGE;
    const others = await Promise.all(
      calls.map((call) => ask(`${url}/api/${call}`, { keep: false, headers })),
    );
    const answers = [board, ...others];
    const wire_bytes = answers.reduce((sum, answer) => sum + answer.wire_bytes, 0);
    return { requests: answers.length, wire_bytes, etag: String(board.headers.etag) };
  };
  const { etag, ...changed } = await poll({});
  const again = await poll({ 'if-none-match': etag, 'cache-control': 'max-age=0' });
  return { changed, unchanged: omit(again, 'etag') };
}
