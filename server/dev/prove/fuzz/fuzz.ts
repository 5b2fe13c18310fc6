import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { startPostgres } from '../../test/postgres-server.ts';
import { startServer } from '../../test/server-process.ts';
import type { Proof, ProofOptions, Tried } from '../proof.ts';
import { faultIn } from './judge.ts';
import { KnownThings } from './known.ts';
import { LeakedSecrets } from './leaked-secrets.ts';
import { type DrawnEvent, eventsOf, LiveConnections } from './live.ts';
import { createPeople, FUZZ_PASSWORD } from './people.ts';
import { type Drawn, requestsOf } from './requests.ts';
import { connections, send } from './send.ts';
import { sentAs, shoot } from './shoot.ts';

/** Requests drawn together; after each such batch the credentials are looked after. */
const BATCH = 250;
const AT_ONCE = 8;
/** No request takes longer, in milliseconds; on a machine that does nothing else. */
const HANG_MS = 1_000;
/** Print at most this many failures: a thousand of one kind add nothing. */
const MAX_REPORTED = 20;

export interface Fuzzed extends Tried {
  /** Requests that were answered with what they asked for. */
  accepted: number;
  /** The longest that a request took, in milliseconds. */
  longest_ms: number;
  /** The server's memory after the first batch and at the end, in bytes. */
  memory: readonly [number, number];
}

/** Fires random requests and live events at the real program on a database of these settings. */
export async function fuzzServer(
  settings: { DATA_DIR: string; DATABASE_URL?: string | undefined },
  { seed, runs, say }: ProofOptions,
  hang_ms: number = Number.POSITIVE_INFINITY,
): Promise<Omit<Fuzzed, 'what'>> {
  // The game's data does not answer: what it says is another suite's business.
  const server = startServer({
    LOG_LEVEL: 'debug',
    ADMIN_PASSWORD: FUZZ_PASSWORD,
    CHARACTER_API_URL: 'http://127.0.0.1:9',
    ...settings,
  });
  const agent = connections();
  const failed: string[] = [];
  const secrets = new LeakedSecrets([FUZZ_PASSWORD]);
  const fail = (fault: string): void => {
    if (failed.length < MAX_REPORTED) failed.push(fault);
  };
  try {
    const url = await server.ready;
    const api = `${url}/api`;
    const document: unknown = await (await fetch(`${api}/openapi.json`)).json();
    const today = new Date().toISOString().slice(0, 10);
    const people = await createPeople(agent, api);
    const known = new KnownThings();
    const live = new LiveConnections(url, people, fail);
    const drawn: fc.Arbitrary<Drawn | DrawnEvent> = fc.oneof(
      { weight: 9, arbitrary: requestsOf(document, today) },
      { weight: 1, arbitrary: eventsOf(today) },
    );
    let longest_ms = 0;
    let accepted = 0;
    const shot = async (each: Drawn): Promise<void> => {
      const request = sentAs(api, each, known, people);
      const line = `${each.role}: ${request.method} ${request.url.slice(api.length, api.length + 300)} ${String(request.body ?? '').slice(0, 300)}`;
      try {
        const answer = await shoot(agent, request, known);
        longest_ms = Math.max(longest_ms, answer.took_ms);
        if (answer.status < 300) accepted += 1;
        secrets.scan(answer.text);
        const fault = faultIn(each.method, each.path, answer);
        if (fault) fail(`${line}: ${fault}`);
        if (answer.took_ms > hang_ms) fail(`${line}: took ${answer.took_ms.toFixed(0)} ms`);
      } catch (error) {
        fail(`${line}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    const memory = async (): Promise<number> => {
      const answer = await send(agent, {
        method: 'get',
        url: `${url}/metrics`,
        headers: {},
        body: null,
      });
      return Number(/^process_resident_memory_bytes (\d+)/m.exec(answer.text)?.[1] ?? 0);
    };
    let before = 0;
    let tried = 0;
    for (let batch = 0; tried < runs && failed.length < MAX_REPORTED; batch += 1) {
      const waiting = fc.sample(drawn, {
        seed: seed + batch,
        numRuns: Math.min(BATCH, runs - tried),
      });
      tried += waiting.length;
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift())
          await ('path' in next ? shot(next) : live.say(next, known));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await people.renew();
      secrets.add(people.adminToken(), people.memberKey());
      if (batch === 0) before = await memory();
      if (batch % 20 === 19)
        say(`${tried} requests, ${failed.length} faults, longest ${longest_ms.toFixed(0)} ms`);
    }
    const after = await memory();
    live.close();
    for (const leak of secrets.in(server.output())) fail(leak);
    return { tried, failed, accepted, longest_ms, memory: [before, after] };
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)} ${server.output()}`);
    return { tried: 0, failed, accepted: 0, longest_ms: 0, memory: [0, 0] };
  } finally {
    agent.destroy();
    server.child.kill('SIGTERM');
    const code = await server.ended;
    if (code !== 0) failed.unshift(`the server ended with ${code}: ${server.output()}`);
  }
}

const asLine = (
  database: string,
  { accepted, longest_ms, memory: [before, after], ...fuzzed }: Omit<Fuzzed, 'what'>,
): Tried => {
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
  const what = `requests and live events on ${database} (${accepted} accepted; longest ${longest_ms.toFixed(0)} ms; memory ${megabytes(before)} to ${megabytes(after)} MB)`;
  return { what, ...fuzzed };
};

export const fuzz: Proof = {
  summary: 'hostile requests and live events, of every call and every role, on both databases',
  unit: 'requests',
  long: 100_000,
  run: async (options) => {
    const half = { ...options, runs: Math.ceil(options.runs / 2) };
    const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-fuzz-'));
    const postgres = await startPostgres();
    try {
      await postgres.createDatabase('fuzz');
      const sqlite = asLine('SQLite', await fuzzServer({ DATA_DIR: folder }, half, HANG_MS));
      const onPostgres = { DATA_DIR: folder, DATABASE_URL: `${postgres.url}/fuzz` };
      return [sqlite, asLine('PostgreSQL', await fuzzServer(onPostgres, half, HANG_MS))];
    } finally {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
