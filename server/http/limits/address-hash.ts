import { createHmac } from 'node:crypto';
import type { Db } from '../../db/open.ts';

/** An address under the database's own key: it tells addresses apart, for all servers and for good, and tells nobody which they are. */
export type AddressHash = (address: string) => Promise<string>;

/** The key is read when first asked for. */
export function createAddressHash(db: Db): AddressHash {
  let key: string | null = null;
  return async (address) => {
    if (key === null) {
      const secret = await db.selectFrom('secrets').select('value').where('name', '=', 'address').executeTakeFirstOrThrow();
      key = secret.value;
    }
    return createHmac('sha256', key).update(address).digest('base64url');
  };
}
