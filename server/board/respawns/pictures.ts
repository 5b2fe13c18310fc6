import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import { gifProblem } from '../../../shared/gif.ts';
import { inTurns } from '../../db/batches.ts';
import type { Reading, Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';

/** A picture that an admin uploaded. Its name says what is in it, so the same bytes are stored once and never change. */
export interface Picture {
  hash: string;
  bytes: Buffer;
}

const UPLOADED = /^([0-9a-f]{64})\.gif$/;
const A_YEAR = 'public, max-age=31536000, immutable';

/** What a respawn with this picture has as its image. */
export const imageName = ({ hash }: Pick<Picture, 'hash'>): string => `${hash}.gif`;

/**
 * Takes an uploaded file for a picture; hashed here, so that no transaction waits for it.
 * @throws DomainError respawn.imageRequired, respawn.notGif, respawn.gifTooLarge
 */
export function pictureOf(file: Buffer | null): Picture {
  if (!file) throw new DomainError('respawn.imageRequired', { field: 'image' });
  const problem = gifProblem(file);
  if (problem) throw new DomainError(`respawn.${problem}`, { field: 'image' });
  return { hash: createHash('sha256').update(file).digest('hex'), bytes: file };
}

/** The hash of an uploaded picture; null for one of the catalogue's. */
export const uploadedHash = (image: string): string | null => UPLOADED.exec(image)?.[1] ?? null;

export async function storePicture(ctx: Pick<Writing, 'now'>, tx: Tx, picture: Picture): Promise<void> {
  await tx
    .insertInto('images')
    .values({ ...picture, created_at: ctx.now().toISOString() })
    .onConflict((row) => row.doNothing())
    .execute();
}

/** Deletes uploaded pictures that no respawn shows any more, and no undo may bring back. The catalogue's are files, and stay. */
export async function dropUnusedPictures(tx: Tx, images: Iterable<string>): Promise<void> {
  const hashes = [...images].flatMap((image) => uploadedHash(image) ?? []);
  await inTurns(hashes, (some) =>
    tx
      .deleteFrom('images')
      .where('hash', 'in', some)
      .where(({ not, exists, selectFrom, ref }) => {
        const shown = selectFrom('respawns')
          .select('respawns.id')
          .where('respawns.image', '=', sql<string>`${ref('images.hash')} || '.gif'`);
        return not(exists(shown));
      })
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('undo_images').select('undo_images.undo_id').whereRef('undo_images.hash', '=', 'images.hash'))),
      )
      .execute(),
  );
}

/** Serves the uploaded pictures by their names; whatever has no such name is left to the catalogue's. */
export function servePictures(ctx: Reading): RequestHandler<{ name: string }> {
  return async (req, res, next) => {
    const hash = uploadedHash(req.params.name);
    const found = hash && (await ctx.db.selectFrom('images').select('bytes').where('hash', '=', hash).executeTakeFirst());
    if (!found) return next();
    res.set('Cache-Control', A_YEAR).type('gif').send(found.bytes);
  };
}
