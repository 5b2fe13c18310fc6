import { sql } from 'kysely';
import { type Tx, writeInBatches } from './database.ts';

/* Uploaded pictures are stored once per content, under the hash of their bytes, so that they never change. */

export interface Picture {
  hash: string;
  bytes: Buffer;
}

const UPLOADED = /^([0-9a-f]{64})\.gif$/;

/** The `image` of a spot that shows this picture. */
export const imageName = ({ hash }: Pick<Picture, 'hash'>): string => `${hash}.gif`;

/** The hash of an uploaded picture by its name; null for a picture of the catalogue. */
export const uploadedHash = (image: string): string | null => UPLOADED.exec(image)?.[1] ?? null;

export async function storePicture(
  { now }: { now: () => Date },
  tx: Tx,
  { hash, bytes }: Picture,
): Promise<void> {
  await tx
    .insertInto('images')
    .values({ hash, bytes, created_at: now().toISOString() })
    .onConflict((row) => row.doNothing())
    .execute();
}

/** Deletes uploaded pictures that neither a spot nor an undo refers to. The catalogue's pictures are files and stay. */
export async function dropUnusedPictures(tx: Tx, images: Iterable<string>): Promise<void> {
  const hashes = [...images].flatMap((image) => uploadedHash(image) ?? []);
  await writeInBatches(hashes, (some) =>
    tx
      .deleteFrom('images')
      .where('hash', 'in', some)
      .where(({ not, exists, selectFrom, ref }) => {
        const used = selectFrom('respawns')
          .select('respawns.id')
          .where('respawns.image', '=', sql<string>`${ref('images.hash')} || '.gif'`);
        return not(exists(used));
      })
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('undo_images')
              .select('undo_images.undo_id')
              .whereRef('undo_images.hash', '=', 'images.hash'),
          ),
        ),
      )
      .execute(),
  );
}
