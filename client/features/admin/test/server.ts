import { vi } from 'vitest';

export interface Sent {
  call: string;
  body: unknown;
}
type Answer = Response | Promise<Response>;

/**
 * What pages read when they open; only tests about it answer and list the call. A live board has the member types, and knows whether
 * events are archived only by asking.
 */
const READ_ON_OPENING =
  /^GET \/api\/((admin\/)?member-types|admin\/last-claims|admin\/needs-look|admin\/board-messages|admin\/archive\/events\?limit=1)$/;

/** The network's far end: answers by method and path, and remembers what it was sent. */
export function mockServer(answers: Record<string, (body: unknown) => Answer>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    // Reads carry the time, so that nothing between keeps them.
    const call = `${options.method} ${path.replace(/[?&]at=\d+$/, '')}`;
    const body: unknown = typeof options.body === 'string' ? JSON.parse(options.body) : undefined;
    const answer = answers[call];
    if (!answer && READ_ON_OPENING.test(call)) return ok([]);
    sent.push({ call, body });
    if (!answer) throw new Error(`Nothing answers ${call}`);
    return answer(body);
  });
  return sent;
}

export const ok = (data: unknown = null): Response => Response.json({ success: true, data });
export const refused = (status: number, code: string, params: object = {}): Response =>
  Response.json({ error: code, code, params }, { status });
