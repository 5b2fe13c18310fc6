import type { Request, Response } from 'express';
import type { MulterError } from 'multer';
import { DomainError } from '../../shared/errors.ts';
import { MAX_IMAGE_BYTES } from '../../shared/schemas/respawn.ts';
import { refuseUnstorableInForm } from './storable-text.ts';

/** The one file that a form may hold. */
export const UPLOAD_FIELD = 'image';

/** Texts beside the file: far more than any form of ours has. */
const limits = { fileSize: MAX_IMAGE_BYTES, fields: 10, parts: 20, fieldSize: 10_000, fieldNameSize: 100, fieldNestingDepth: 0 };

/**
 * Reads a multipart form into memory; its texts become the request's body. A body of another kind is left alone.
 * @returns the bytes of its file, or null without one
 * @throws DomainError request.tooLarge, request.invalid naming a file that is one too many, request.malformed
 */
export async function readUpload(req: Request, res: Response): Promise<Buffer | null> {
  // Loaded when the first comes: few servers are sent one between two starts.
  const { default: multer } = await import('multer');
  const receive = multer({ storage: multer.memoryStorage(), limits }).single(UPLOAD_FIELD);
  await new Promise<void>((resolve, reject) => {
    receive(req, res, (error: unknown) =>
      error ? reject(refusalOfUpload(error instanceof multer.MulterError ? error : null)) : resolve(),
    );
  });
  refuseUnstorableInForm(req.body);
  return req.file?.buffer ?? null;
}

/** What cannot be read is the sender's doing: broken off, cut short, or no form at all. Nothing of ours fails here. */
function refusalOfUpload(error: MulterError | null): DomainError {
  switch (error?.code) {
    case 'LIMIT_FILE_SIZE':
    case 'LIMIT_FIELD_VALUE':
      return new DomainError('request.tooLarge');
    case 'LIMIT_UNEXPECTED_FILE':
      return new DomainError('request.invalid', { field: error.field ?? UPLOAD_FIELD });
    default:
      return new DomainError('request.malformed');
  }
}
