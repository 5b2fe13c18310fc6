import type { Chance } from '../seeded.ts';

/** The script of a hostile connection: pieces of HTTP or WebSocket, garbled or not, and how it closes. */
export interface Script {
  pieces: readonly Buffer[];
  /** Before the next piece: wait for a response, or not even for one turn of the event loop. */
  pace: 'answer' | 'turn' | 'none';
  /** Whether it reads what comes back. */
  reads: boolean;
  /** `stay` leaves it open until the server ends it. */
  ending: 'reset' | 'fin' | 'destroy' | 'stay';
}

const LIVE = '/socket.io/?EIO=4&transport=websocket';

const head = (line: string, ...headers: string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: board', ...headers].join('\r\n')}\r\n\r\n`;
const upgrade = (path: string, protocol = 'websocket', ...headers: string[]): string =>
  head(
    `GET ${path}`,
    'Connection: Upgrade',
    `Upgrade: ${protocol}`,
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  );
const post = (path: string, body: string, ...headers: string[]): string =>
  head(
    `POST ${path}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
  ) + body;

const LOGIN = JSON.stringify({ accessKey: 'NONE-SUCH-KEYS' });

const requests: readonly string[] = [
  head('GET /healthz'),
  head('GET /api/config'),
  head('GET /api/docs'),
  head('GET /api/openapi.json', 'Accept-Encoding: gzip'),
  head('GET /assets/respawns/none.gif'),
  head('HEAD /api/categories'),
  head('GET /api/respawns', 'X-Access-Key: NONE-SUCH-KEYS'),
  head('GET http://board/readyz'),
  head('OPTIONS *'),
  head('GET /%E0%A4%A'),
  'GET /healthz HTTP/1.0\r\n\r\n',
  'GET /healthz HTTP/1.1\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  head('CONNECT board:443'),
  post('/api/login', LOGIN),
  post('/api/login', LOGIN, 'Expect: 100-continue'),
  post('/api/login', LOGIN, 'Expect: a miracle'),
  post('/api/nothing', 'x'.repeat(20_000)),
  `${head('POST /api/login', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}${LOGIN.length.toString(16)}\r\n${LOGIN}\r\n0\r\n\r\n`,
  `${head('POST /api/login', 'Transfer-Encoding: chunked')}ffffffffff\r\n`,
  head('POST /api/login', 'Content-Type: application/json', 'Content-Length: 400000'),
  head(
    'POST /api/respawns/admin',
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 5000',
  ),
  head('GET /healthz', `X-Long: ${'x'.repeat(20_000)}`),
  upgrade('/'),
  upgrade('/healthz', 'h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
  upgrade('/api/config'),
  upgrade('/socket.io'),
  upgrade(LIVE),
  upgrade(LIVE),
  upgrade(LIVE),
  upgrade('/socket.io/'),
  upgrade('/socket.io/?EIO=3&transport=websocket'),
  upgrade('/socket.io/?EIO=4&transport=polling'),
  upgrade(`${LIVE}&sid=none`),
  upgrade(LIVE, 'nothing'),
  upgrade(LIVE, 'websocket', 'Origin: \u0001'),
  upgrade(LIVE, 'websocket', 'Content-Length: 10'),
  upgrade(LIVE, 'websocket', 'Transfer-Encoding: chunked'),
  upgrade(
    LIVE,
    'websocket',
    'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99',
  ),
  upgrade(LIVE).replace('dGhlIHNhbXBsZSBub25jZQ==', 'short'),
  upgrade(LIVE).replace('Version: 13', 'Version: 7'),
];

/** A WebSocket frame as a client sends it, masked with zeros; `bits` are its first byte. */
function frame(
  bits: number,
  text: string,
  length = Buffer.byteLength(text),
  masked = true,
): Buffer {
  const size =
    length < 126 ? Buffer.from([length]) : Buffer.from([126, length >> 8, length & 0xff]);
  if (masked) size[0] = (size[0] ?? 0) | 0x80;
  return Buffer.concat([
    Buffer.from([bits]),
    size,
    Buffer.alloc(masked ? 4 : 0),
    Buffer.from(text),
  ]);
}

const frames: readonly Buffer[] = [
  frame(0x81, '40'),
  frame(0x81, '40{"access_key":"NONE-SUCH-KEYS"}'),
  frame(0x81, '40/other,'),
  frame(0x81, '421["sync",null]'),
  frame(0x81, '3'),
  frame(0x81, '2probe'),
  frame(0x81, '5'),
  frame(0x81, '1'),
  frame(0x81, '451-["sync",{"_placeholder":true,"num":0}]'),
  frame(0x82, 'binary'),
  frame(0x81, 'nonsense'),
  frame(0x81, '4{'),
  frame(0x81, 'not masked', undefined, false),
  frame(0x81, '', 60_000),
  frame(0x01, 'a beginning'),
  frame(0x80, 'an end'),
  frame(0xf1, 'reserved bits'),
  frame(0x83, 'reserved kind'),
  frame(0x81, '\u00ff'),
  frame(0x09, 'a ping in pieces'),
  frame(0x89, 'ping'),
  frame(0x8a, 'pong'),
  frame(0x88, ''),
  frame(0x88, '\u0003'),
  frame(0x81, '2'.repeat(11_000)),
  Buffer.concat(Array.from({ length: 2_000 }, () => frame(0x89, ''))),
];

function spoiled(piece: Buffer, chance: Chance): Buffer {
  if (chance.onceIn(3)) return piece.subarray(0, chance.below(piece.length + 1));
  if (chance.onceIn(3)) {
    const garbled = Buffer.from(piece);
    for (let i = chance.below(8); i >= 0; i--)
      garbled[chance.below(garbled.length)] = chance.below(256);
    return garbled;
  }
  if (chance.onceIn(3))
    return Buffer.concat(Array.from({ length: 1 + chance.below(40) }, () => piece));
  return piece;
}

export function randomScript(chance: Chance): Script {
  const pieces: Buffer[] = [];
  for (let i = chance.below(3); i >= 0; i--)
    pieces.push(Buffer.from(chance.oneOf(requests), 'latin1'));
  if (chance.onceIn(2)) {
    if (chance.onceIn(2)) pieces.push(Buffer.from(upgrade(LIVE)));
    for (let i = chance.below(4); i >= 0; i--) pieces.push(chance.oneOf(frames));
  }
  return {
    pieces: pieces.map((piece) => (chance.onceIn(3) ? spoiled(piece, chance) : piece)),
    pace: chance.oneOf(['answer', 'turn', 'none']),
    reads: !chance.onceIn(4),
    ending: chance.oneOf(['reset', 'reset', 'fin', 'destroy', 'stay']),
  };
}

/** The script in words, detailed enough to repeat it. */
export const describe = ({ pieces, pace, reads, ending }: Script): string =>
  `${pieces.map((piece) => JSON.stringify(piece.toString('latin1').slice(0, 120))).join(` (${pace}) `)}, ${reads ? 'read' : 'unread'}, then ${ending}`;
