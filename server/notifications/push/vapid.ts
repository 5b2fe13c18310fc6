import { z } from 'zod';
import { once } from '../../db/once.ts';
import type { Db } from '../../db/open.ts';
import type { WriteQueue } from '../../db/write-queue.ts';

const stored = z.object({ public_key: z.string(), private_key: z.string() });
/** By which push services know who sends; both in base64url. Browsers that subscribed to others hear nothing any more. */
export type VapidKeys = z.infer<typeof stored>;

export type ReadVapid = () => Promise<VapidKeys>;

/** The keys are made when they are first asked for, and are the same for all servers and for good. */
export const createVapid = (ctx: Keeping): ReadVapid => once(() => readOrMake(ctx));

interface Keeping {
  db: Db;
  writes: Pick<WriteQueue, 'transaction'>;
}

async function readOrMake({ db, writes }: Keeping): Promise<VapidKeys> {
  const found = await read(db);
  if (found) return found;
  const { generateVAPIDKeys } = (await import('web-push')).default;
  const { publicKey, privateKey } = generateVAPIDKeys();
  const value = JSON.stringify({ public_key: publicKey, private_key: privateKey });
  // Nothing that anybody sees: no clock moves. Another server may have been faster, and its keys are everybody's.
  await writes.transaction((tx) =>
    tx
      .insertInto('secrets')
      .values({ name: 'vapid', value })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  const kept = await read(db);
  if (!kept) throw new Error('the keys of push services were not kept');
  return kept;
}

async function read(db: Db): Promise<VapidKeys | null> {
  const secret = await db.selectFrom('secrets').select('value').where('name', '=', 'vapid').executeTakeFirst();
  return secret ? stored.parse(JSON.parse(secret.value)) : null;
}
