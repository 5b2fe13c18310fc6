import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { createContext } from '../../../context.ts';
import { readEnv } from '../../../env.ts';
import { type RunningServer, serve } from '../../../server.ts';
import type { Proof, ProofOptions, Tried } from '../proof.ts';
import { chanceOf } from '../seeded.ts';
import { play } from './play.ts';
import { describe, randomScript, type Script } from './script.ts';

/** Connections at once. */
const BATCH = 250;
/** Far above the bounds that follow: what is open after it was forgotten. */
const FORGOTTEN_MS = 20_000;

const bounds = {
  headers_ms: 300,
  request_ms: 400,
  silence_ms: 300,
  keep_alive_ms: 100,
  check_ms: 50,
};
const live = { pingInterval: 300, pingTimeout: 300, connectTimeout: 300 };

async function whenAllAreClosed(server: RunningServer): Promise<boolean> {
  const deadline = performance.now() + FORGOTTEN_MS;
  while (server.connections() > 0 && performance.now() < deadline) await setTimeout(20);
  return server.connections() === 0;
}

async function isUp({ port }: RunningServer): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
    headers: { Connection: 'close' },
  }).catch(() => null);
  return answer?.status === 200;
}

/** Scripts of one batch, all at once; what failed, in words. */
async function tryTogether(server: RunningServer, scripts: readonly Script[]): Promise<string[]> {
  const failed: string[] = [];
  const sockets: Socket[] = await Promise.all(scripts.map((script) => play(server.port, script)));
  if (!(await isUp(server)))
    failed.push(`/healthz does not answer after\n${scripts.map(describe).join('\n')}`);
  if (!(await whenAllAreClosed(server)))
    failed.push(
      `${server.connections()} connections stay open after\n${scripts.map(describe).join('\n')}`,
    );
  for (const socket of sockets) socket.destroy();
  return failed;
}

async function run({ seed, runs, say }: ProofOptions): Promise<readonly Tried[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-prove-'));
  const env = readEnv({
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    BOARD_VISIBILITY: 'public',
  });
  const ctx = await createContext({ env, log: pino({ level: 'silent' }) });
  const server = await serve(ctx, { bounds, live });
  const chance = chanceOf(seed);
  const failed: string[] = [];
  try {
    for (let tried = 0; tried < runs && failed.length === 0; tried += BATCH) {
      const scripts = Array.from({ length: Math.min(BATCH, runs - tried) }, () =>
        randomScript(chance),
      );
      failed.push(...(await tryTogether(server, scripts)));
      if (tried % (8 * BATCH) === 0) say(`${tried} connections`);
    }
  } finally {
    await server.stop();
    await ctx.close();
    await rm(folder, { recursive: true, force: true });
  }
  return [
    {
      what: 'connections that are reset, halved, pipelined, garbled, stalled or unread',
      tried: runs,
      failed,
    },
  ];
}

export const connections: Proof = {
  summary: 'no connection of a stranger ends the process or stays open',
  unit: 'connections',
  long: 20_000,
  run,
};
