import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { DomainError } from '../../../shared/errors.ts';
import { gifProblem } from '../../../shared/gif.ts';
import type { Reading } from '../../db/database.ts';
import { type Picture, uploadedHash } from '../../db/pictures.ts';

const A_YEAR = 'public, max-age=31536000, immutable';

/**
 * The picture in an uploaded file. It is hashed here, so that no transaction waits for it.
 * @throws DomainError respawn.imageRequired, respawn.notGif, respawn.gifDamaged, respawn.gifTooLarge
 */
export function pictureOf(file: Buffer | null): Picture {
  if (!file) throw new DomainError('respawn.imageRequired', { field: 'image' });
  const problem = gifProblem(file);
  if (problem) throw new DomainError(`respawn.${problem}`, { field: 'image' });
  return { hash: createHash('sha256').update(file).digest('hex'), bytes: file };
}

/** Serves uploaded pictures by their names. Other names are left to the next handler, which serves the catalogue's. */
export function servePictures(ctx: Reading): RequestHandler<{ name: string }> {
  return async (req, res, next) => {
    const hash = uploadedHash(req.params.name);
    const found =
      hash &&
      (await ctx.db
        .selectFrom('images')
        .select('bytes')
        .where('hash', '=', hash)
        .executeTakeFirst());
    if (!found) return next();
    res.set('Cache-Control', A_YEAR).type('gif').send(found.bytes);
  };
}
