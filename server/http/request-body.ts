import type { IncomingMessage } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import multer from 'multer';
import { DomainError } from '../../shared/errors.ts';
import { MAX_IMAGE_BYTES } from '../../shared/schemas/respawn.ts';

/** Bytes of a JSON body: far more than any form of ours sends. */
export const MAX_BODY_BYTES = 16_384;
/** Bytes of a submission, whose sender is known: a year of claims fits. */
export const MAX_SUBMISSION_BYTES = 524_288;
/** The one file that a form may hold. */
export const UPLOAD_FIELD = 'image';

// A compressed body does not say how large it becomes; no client of ours sends one.
const reader = (limit: number): RequestHandler => express.json({ limit, inflate: false });
const read = { small: reader(MAX_BODY_BYTES), large: reader(MAX_SUBMISSION_BYTES) };

/** The texts beside the file are bounded far above what any form of ours has. */
const receive = multer({
  storage: multer.memoryStorage(),
  limits: {
    fileSize: MAX_IMAGE_BYTES,
    fields: 10,
    parts: 20,
    fieldSize: 10_000,
    fieldNameSize: 100,
    fieldNestingDepth: 0,
  },
}).single(UPLOAD_FIELD);

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  'transfer-encoding' in headers || (headers['content-length'] ?? '0') !== '0';

/**
 * Reads a JSON body, if there is one.
 * @throws DomainError request.notJson if the body has another type, charset or encoding; request.tooLarge; request.malformed if it
 * does not parse or holds a text that cannot be stored
 */
export async function readBody(
  req: Request,
  res: Response,
  size: keyof typeof read,
): Promise<void> {
  if (hasBody(req) && !req.is('application/json')) throw new DomainError('request.notJson');
  await new Promise<void>((resolve, reject) => {
    void read[size](req, res, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  if (!isStorable(req.body)) throw new DomainError('request.malformed');
}

/** Reads a body as it arrived, for a signature over its bytes. @throws DomainError request.tooLarge, request.malformed */
export type ReadBytes = (req: Request, res: Response) => Promise<Buffer>;

interface BytesLimits {
  bytes: number;
  /** Bodies that are being read: one more ends the oldest, with its connection. */
  under_way: number;
  /** Time for a body, in milliseconds; then its connection ends. */
  ms: number;
}

/** Reads the bodies of strangers, within limits that hold for all of them together. */
export function createBytesReader({ bytes, under_way, ms }: BytesLimits): ReadBytes {
  const read = express.raw({ type: () => true, limit: bytes, inflate: false });
  /** In the order in which they began. */
  const reading = new Set<Request>();
  const end = (req: Request): void => {
    reading.delete(req);
    req.destroy();
  };
  return async (req, res) => {
    const [oldest] = reading;
    if (oldest && reading.size >= under_way) end(oldest);
    reading.add(req);
    const timer = setTimeout(end, ms, req);
    try {
      await new Promise<void>((resolve, reject) => {
        void read(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
      });
    } finally {
      clearTimeout(timer);
      reading.delete(req);
    }
    return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
  };
}

/**
 * Reads a multipart form into memory; its texts become the request's body. A body of another kind is left alone.
 * @returns the bytes of its file, or null without one
 * @throws DomainError request.tooLarge, request.invalid naming a file that is one too many, request.malformed
 */
export async function readUpload(req: Request, res: Response): Promise<Buffer | null> {
  await new Promise<void>((resolve, reject) => {
    receive(req, res, (error: unknown) => (error ? reject(refusedUpload(error)) : resolve()));
  });
  if (!isStorable(req.body)) throw new DomainError('request.malformed');
  return req.file?.buffer ?? null;
}

/** A form that cannot be read is the sender's fault: broken off, cut short, or no form at all. */
function refusedUpload(error: unknown): DomainError {
  if (!(error instanceof multer.MulterError)) return new DomainError('request.malformed');
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
    case 'LIMIT_FIELD_VALUE':
      return new DomainError('request.tooLarge');
    case 'LIMIT_UNEXPECTED_FILE':
      return new DomainError('request.invalid', { field: error.field ?? UPLOAD_FIELD });
    default:
      return new DomainError('request.malformed');
  }
}

const NUL = '\u0000';

/**
 * PostgreSQL stores no NUL character, and half of a surrogate pair comes back from either database as another character, so watchers
 * would be sent something else than is stored.
 */
const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes(NUL);

/** Whether every text in parsed JSON can be stored. Without recursion: the nesting may be deep. */
function isStorable(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each === 'string' && !isStorableText(each)) return false;
    if (typeof each === 'object' && each !== null)
      for (const inner of Object.values(each)) left.push(inner);
  }
  return true;
}

/** The same for paths and queries; their parsers refuse or replace what is no UTF-8. */
export const refuseNulInUrl: RequestHandler = (req, _res, next) => {
  if (req.url.includes('%00')) throw new DomainError('request.malformed');
  next();
};
