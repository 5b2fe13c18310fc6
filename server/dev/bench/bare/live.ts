import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// A dependency of socket.io.
import { WebSocketServer } from 'ws';

/** Bare `ws`: sends a change to all sockets and a board on request. Both have the length of the real ones. */

const board = Buffer.from(`430${'x'.repeat(Number(process.env.BOARD_BYTES ?? 0))}`);
const change = Buffer.from(`42["changes",${'x'.repeat(Number(process.env.CHANGE_BYTES ?? 0))}`);
const HELLO = '0{}';
const ADMITTED = '40{}';

const http = createServer((_req, res) => {
  for (const socket of live.clients) socket.send(change, { binary: false });
  res.writeHead(201).end('{}');
});
const live = new WebSocketServer({ server: http, perMessageDeflate: false });
live.on('connection', (socket) => {
  socket.send(HELLO);
  // A message is either the handshake or the request for the board.
  socket.on('message', (packet) =>
    socket.send(String(packet).startsWith('40') ? ADMITTED : board, { binary: false }),
  );
});
http.listen(0, '127.0.0.1', () => {
  const address: AddressInfo | string | null = http.address();
  if (address && typeof address === 'object')
    process.stdout.write(`ready at http://127.0.0.1:${address.port}\n`);
});
