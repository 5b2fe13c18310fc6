import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Answer, Question } from '../../server/dev/test/servers.ts';
import { signIn } from '../../server/dev/test/sign-in.ts';

const programAt = (program: string): string =>
  path.resolve(import.meta.dirname, '../../server', program);
const NODE = path.resolve(import.meta.dirname, '../../node_modules/.bin/node');

export type Settings = { readonly [name: string]: string };

export interface Running {
  port: number;
  /** Of the admin, who is signed in. */
  token: string;
  stop: () => Promise<void>;
  /** Stops it the hard way, and starts it again on the same port and data. */
  kill: () => Promise<void>;
  restart: () => Promise<void>;
}

/** The part of the tests' environment that a server's process gets. */
function inherited(): { [name: string]: string | undefined } {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return { PATH, TMPDIR, NODE_COMPILE_CACHE };
}

interface Started {
  child: ChildProcess;
  port: number;
  /** Its output up to the addresses. */
  printed: string;
}

async function startProcess(settings: Settings, DATA_DIR: string, port: number): Promise<Started> {
  const env = { ...inherited(), ...settings, DATA_DIR, PORT: String(port) };
  const child = spawn(NODE, [programAt('main.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (/ready at[\s\S]*\/admin\/login\n/.test(printed)) break;
  }
  child.stdout.resume();
  const [, at] = /localhost:(\d+)/.exec(printed) ?? [];
  if (!at) throw new Error(`the server did not start: ${printed}`);
  return { child, port: Number(at), printed };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** The real program as at a guild's first start: on an empty data folder, with the account it creates. */
export async function startFresh(
  settings: Settings,
): Promise<{ url: string; printed: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-browser-'));
  const { child, port, printed } = await startProcess(settings, folder, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    printed,
    stop: async () => {
      await killed(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The real program in its own process, on an empty data folder. */
export async function startAlone(settings: Settings): Promise<Running> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-browser-'));
  let { child, port } = await startProcess(settings, folder, 0);
  return {
    port,
    token: await signIn(port, settings),
    kill: () => killed(child),
    restart: async () => {
      ({ child, port } = await startProcess(settings, folder, port));
    },
    stop: async () => {
      await killed(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Servers {
  /** @param spots `some`: a tenth of the catalogue */
  start: (settings: Settings, spots: 'some' | 'all') => Promise<Running>;
  /** Ends them all. */
  close: () => Promise<void>;
}

const answer: z.ZodType<Answer> = z.object({
  id: z.number(),
  port: z.number().optional(),
  token: z.string().optional(),
  failure: z.string().optional(),
});

/** A process in which servers are started and stopped, but not killed. */
export function startServers(): Servers {
  const child = fork(programAt('dev/test/servers.ts'), {
    execPath: NODE,
    execArgv: [],
    env: inherited(),
  });
  const ended = once(child, 'exit');
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  child.on('message', (message) => {
    const reply = answer.parse(message);
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  child.once('exit', () => {
    for (const [id, tell] of waiting) tell({ id, failure: 'the process of the servers ended' });
  });
  const ask = async (what: Question['ask']): Promise<{ port: number; token: string }> => {
    const id = ++lastId;
    const {
      port = 0,
      token = '',
      failure,
    } = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      const question: Question = { id, ask: what };
      child.send(question, (error) => error && resolve({ id, failure: error.message }));
    });
    if (failure) throw new Error(failure);
    return { port, token };
  };
  const notHere = (): never => {
    throw new Error('a server is killed in a test that is tagged so: { tag: KILLS }');
  };
  return {
    start: async (settings, spots) => {
      const { port, token } = await ask({ start: { PORT: '0', ...settings }, spots });
      return {
        port,
        token,
        stop: async () => void (await ask({ stop: port })),
        kill: notHere,
        restart: notHere,
      };
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
