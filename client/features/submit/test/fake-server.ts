import { vi } from 'vitest';
import { useBoard } from '../../../state/board-store.ts';

export interface Call {
  method: string;
  path: string;
  body: unknown;
  headers: Headers;
}
type Answer = { status: number; body: unknown } | 'network fails';

/** The network's far end: answers calls by method and path, and keeps them. */
export class FakeServer {
  readonly calls: Call[] = [];
  readonly #answers = new Map<string, (call: Call) => Answer>();

  constructor() {
    // The admin's form reads them when it opens.
    this.on('GET', '/admin/member-types', () =>
      ok([...useBoard.getState().byKind.member_type.values()]),
    );
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => this.#fetch(url, init));
  }

  /** `path` is compared with the beginning of a call's path, the longest first. */
  on(method: string, path: string, answer: (call: Call) => Answer): this {
    this.#answers.set(`${method} ${path}`, answer);
    return this;
  }

  made(method: string, path: string): Call[] {
    return this.calls.filter((call) => call.method === method && call.path.startsWith(path));
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const call: Call = {
      method: init.method ?? 'GET',
      path: url.replace(/^\/api/, ''),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: new Headers(init.headers),
    };
    this.calls.push(call);
    const [, answer] =
      [...this.#answers]
        .filter(([route]) => `${call.method} ${call.path}`.startsWith(route))
        .sort(([a], [b]) => b.length - a.length)[0] ?? [];
    if (!answer) throw new TypeError(`nothing answers ${call.method} ${call.path}`);
    const { status, body } = asReply(answer(call));
    return new Response(JSON.stringify(body), { status });
  }
}

function asReply(answer: Answer): { status: number; body: unknown } {
  if (answer === 'network fails') throw new TypeError('Failed to fetch');
  return answer;
}

export const ok = (data: unknown, status = 200): Answer => ({
  status,
  body: { success: true, data },
});
export const refused = (status: number, code: string, params = {}): Answer => ({
  status,
  body: { error: code, code, params },
});
