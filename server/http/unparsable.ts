import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { REQUEST_ID_HEADER } from '../../shared/request-id.ts';
import { refusalOf } from './refusals.ts';
import { newRequestId } from './request-log.ts';

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers what Node's parser rejects like every other refusal, and ends the connection.
 * @param isMidAnswer whether part of an answer has gone out on this connection, so that nothing may be added
 */
export function refuseUnparsable(
  http: Server,
  { log }: { log: Pick<Logger, 'debug'> },
  isMidAnswer: (connection: Socket) => boolean,
): void {
  http.on('clientError', (error: NodeJS.ErrnoException, connection: Socket) => {
    if (!connection.writable || error.code === 'ECONNRESET' || isMidAnswer(connection)) {
      connection.destroy();
      return;
    }
    const status = STATUS[error.code ?? ''] ?? '400 Bad Request';
    const request_id = newRequestId();
    const body = JSON.stringify(refusalOf('request.malformed'));
    // A connection that was opened ahead and never used times out, too.
    log.debug({ request_id, status: Number.parseInt(status, 10), reason: error.code }, 'a request could not be parsed');
    const head = [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${request_id}`,
    ];
    connection.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => connection.destroy());
  });
}
