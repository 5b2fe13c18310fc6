import { z } from 'zod';

const answered = z.object({ id: z.number(), key_value: z.string(), token: z.string() }).partial();
type Answered = z.infer<typeof answered>;

type Call = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answered>;

export interface Caller {
  anybody: Call;
  admin: Call;
  member: (key: string, ...call: Parameters<Call>) => Promise<Answered>;
  read: (path: string) => Promise<unknown>;
}

/** Calls of a program, as its pages make them. What was refused is told; what was not there yet is not. */
export async function callerOf(url: string): Promise<Caller> {
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const form = body instanceof FormData;
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...(form || !body ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok && answer.status !== 404) process.stdout.write(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}\n`);
    const { data } = z
      .object({ data: z.unknown() })
      .catch({ data: undefined })
      .parse(JSON.parse(text || 'null'));
    return answer.ok ? data : undefined;
  };
  const told = (data: unknown): Answered => answered.catch({}).parse(Array.isArray(data) ? data[0] : data);
  const anybody: Call = async (...given) => told(await call(...given));
  const { token = '' } = await anybody('POST', '/login', { username: 'admin', password: 'hunting-at-night' });
  const asAdmin = { Authorization: `Bearer ${token}` };
  return {
    anybody,
    admin: async (method, path, body, headers) => told(await call(method, path, body, { ...asAdmin, ...headers })),
    member: async (key, method, path, body, headers) => told(await call(method, path, body, { 'X-Access-Key': key, ...headers })),
    read: (path) => call('GET', path, undefined, asAdmin),
  };
}

const ASK_EVERY_MS = 250;
const WAIT_MS = 20_000;

/** Asks until it is so; never so where the program of the day has no such call. */
export async function eventually({ read }: Caller, path: string, isSo: (answer: unknown) => boolean): Promise<void> {
  for (const since = Date.now(); Date.now() - since < WAIT_MS; ) {
    const answer = await read(path);
    if (answer === undefined || isSo(answer)) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  process.stdout.write(`${path}: not so after ${WAIT_MS / 1_000} s\n`);
}
