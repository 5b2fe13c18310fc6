import { sign } from 'node:crypto';
import autocannon from 'autocannon';
import { omit } from '../../../../shared/omit.ts';
import { type Guild, type Lane, numberedClaim, numberedCommand } from '../numbered-claim.ts';
import { median } from '../repeat.ts';
import { ask } from './poster.ts';

export interface Submissions {
  url: string;
  guild: Guild;
  lane: Lane;
  /** The number of the first submission. */
  from: number;
}

const CLIENTS = 20;

/** autocannon checks the time once a second by default. */
const lasting = (seconds: number): { duration: number; sampleInt: number } => ({
  duration: seconds,
  sampleInt: Math.min(1, seconds) * 1_000,
});

/** Twenty clients, each of which submits again as soon as it has its response. @throws Error if one is refused */
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
  const result = await autocannon({
    url: `${url}/api/claims`,
    connections: CLIENTS,
    ...lasting(seconds),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    requests: [
      {
        setupRequest: (request) => ({ ...request, body: numberedClaim(guild, lane, next++).body }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} submissions were refused, ${result.errors} failed`);
  return { per_second: result['2xx'] / result.duration, p99_ms: result.latency.p99, next };
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
  const result = await autocannon({
    url: `${url}/api/discord/interactions`,
    connections: CLIENTS,
    ...lasting(seconds),
    method: 'POST',
    // Refusals are answered 200, too.
    verifyBody: (body) => String(body).includes(' claimed '),
    requests: [
      {
        setupRequest: (request) => {
          const body = numberedCommand(guild, lane, next++);
          const timestamp = String(Math.floor(Date.now() / 1_000));
          const signature = sign(null, Buffer.from(timestamp + body), private_key).toString('hex');
          const signed = { 'x-signature-timestamp': timestamp, 'x-signature-ed25519': signature };
          return { ...request, body, headers: { 'content-type': 'application/json', ...signed } };
        },
      },
    ],
  });
  const refused = result.non2xx + result.mismatches;
  if (refused > 0 || result.errors > 0)
    throw new Error(`${refused} commands were refused, ${result.errors} failed`);
  return { p99_ms: result.latency.p99, next };
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
export async function submitOne({ url, guild, lane, from }: Submissions): Promise<number> {
  const { status, body, ms } = await ask(`${url}/api/claims`, {
    method: 'POST',
    body: numberedClaim(guild, lane, from).body,
  });
  if (status !== 201) throw new Error(`a submission was refused: ${status} ${body.toString()}`);
  return ms;
}

/** Requests an unchanged board repeatedly. @throws Error if it is answered with anything but a 304 */
export async function refreshUnchanged({
  url,
  key,
  seconds,
}: {
  url: string;
  key: string;
  seconds: number;
}): Promise<{ per_second: number }> {
  const get = { url: `${url}/api/respawns`, headers: { 'x-access-key': key } };
  const { headers } = await ask(get.url, get);
  const etag = String(headers.etag);
  const result = await autocannon({
    ...get,
    ...lasting(seconds),
    connections: 10,
    headers: { ...get.headers, 'if-none-match': etag },
  });
  const unchanged = result.statusCodeStats?.['304']?.count ?? 0;
  if (unchanged === 0 || result['2xx'] > 0 || result['4xx'] > 0 || result['5xx'] > 0)
    throw new Error('an unchanged board was not answered 304');
  return { per_second: unchanged / result.duration };
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
