import type { Agent } from 'node:http';
import { aGif } from '../../test/gifs.ts';
import type { KnownThings } from './known.ts';
import type { People } from './people.ts';
import type { Drawn } from './requests.ts';
import { type Answer, type Sent, send } from './send.ts';

const BOUNDARY = 'claimboard-fuzz';

/** A part of a path with any content that a client could send. */
const part = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed()).slice(0, 2_000);
};

function formOf(body: unknown): Buffer {
  const fields = Object.entries(typeof body === 'object' && body !== null ? body : {});
  const parts = fields.map(([name, value]) => {
    const isFile = name === 'image';
    const file = isFile ? '; filename="a.gif"\r\nContent-Type: image/gif' : '';
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name.replace(/["\r\n]/g, '')}"${file}\r\n\r\n`;
    // Two of three files are pictures; the third contains the generated value.
    const content =
      isFile && String(value).length % 3 !== 0
        ? aGif()
        : Buffer.from(String(JSON.stringify(value)).replaceAll('"', ''));
    return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')]);
  });
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** The request as it travels. */
export function sentAs(api: string, drawn: Drawn, known: KnownThings, people: People): Sent {
  const path = drawn.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    part(known.filledIn(drawn.params[name])),
  );
  const query = Object.entries(drawn.query).map(
    ([name, value]) => `${name}=${part(known.filledIn(value))}`,
  );
  const headers = people.headersOf(drawn.role);
  if (drawn.idempotency_key !== null) headers['Idempotency-Key'] = drawn.idempotency_key;
  const url = `${api}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const { method } = drawn;
  switch (drawn.as) {
    case 'none':
      return { method, url, headers, body: null };
    case 'json':
      return {
        method,
        url,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(asThemselves(drawn, known.filledIn(drawn.body), people)),
      };
    case 'form':
      return {
        method,
        url,
        headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
        body: formOf(known.filledIn(drawn.body)),
      };
    case 'raw':
      return {
        method,
        url,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: String(drawn.body),
      };
  }
}

/** A submission by its own caller: with a random credential no handler would be reached. */
function asThemselves({ method, path, role }: Drawn, body: unknown, people: People): unknown {
  if (method !== 'post' || path !== '/claims' || typeof body !== 'object' || body === null)
    return body;
  if (role === 'member')
    return { ...body, access_key: people.memberKey(), admin_submission: false };
  return role === 'admin' ? { ...body, admin_submission: true } : body;
}

/** Sends what was drawn and learns from the answer. @throws when the connection ends without one */
export async function shoot(agent: Agent, request: Sent, known: KnownThings): Promise<Answer> {
  const answer = await send(agent, request);
  if (answer.status < 300 && answer.text.length < 200_000)
    known.learn(JSON.parse(answer.text || 'null'));
  return answer;
}
