import { vi } from 'vitest';

export interface Sent {
  call: string;
  body: unknown;
}
type Answer = { status: number; body: unknown } | 'network fails';

/** The network's far end: answers by method and path, and remembers what it was sent. An answer may be replaced. */
export class FakeServer {
  readonly sent: Sent[] = [];
  readonly #answers = new Map<string, (body: unknown) => Answer>();

  constructor() {
    vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
      const call = `${options.method} ${path.replace(/^\/api/, '')}`;
      const body: unknown = typeof options.body === 'string' ? JSON.parse(options.body) : undefined;
      this.sent.push({ call, body });
      const answer = this.#answers.get(call)?.(body);
      if (!answer) throw new Error(`nothing answers ${call}`);
      if (answer === 'network fails') throw new TypeError('Failed to fetch');
      return Response.json(answer.body, { status: answer.status });
    });
  }

  on(call: string, answer: Answer | ((body: unknown) => Answer)): this {
    this.#answers.set(call, typeof answer === 'function' ? answer : () => answer);
    return this;
  }

  made(call: string): Sent[] {
    return this.sent.filter((sent) => sent.call === call);
  }
}

export const ok = (data?: unknown, status = 200): Answer => ({
  status,
  body: data === undefined ? { success: true } : { success: true, data },
});
export const bare = (body: unknown): Answer => ({ status: 200, body });
export const refused = (status: number, code: string, params = {}): Answer => ({
  status,
  body: { error: code, code, params },
});
