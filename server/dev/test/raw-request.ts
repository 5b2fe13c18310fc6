import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Sends raw bytes over a new connection, and reads until the server closes it. */
export async function rawRequest(url: string, bytes: string): Promise<RawAnswer> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return parsed(text);
}

/** The head of a request, after whose answer the server is to end the connection. */
export const head = (line: string, ...headers: string[]): string =>
  `${[`${line} HTTP/1.1`, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;

function parsed(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(end + 4) };
}
