import type { ServerResponse } from 'node:http';
import { type ErrorCode, errorStatus } from '../../shared/errors.ts';
import { refusalOf } from './refusals.ts';
import { noteAnswer } from './request-log.ts';

/** Refuses a request before any middleware sees it, and ends its connection. */
export function refuseAtOnce(res: ServerResponse, code: ErrorCode): void {
  noteAnswer(res, { code });
  const body = JSON.stringify(refusalOf(code));
  res.writeHead(errorStatus[code], {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  res.end(body);
}
