import { z } from 'zod';
import { timestamp } from './fields.ts';

/**
 * Who of the next hunters is online in the game. Advisory, never stored. Of hunters that it does not name nothing is known. Admins are
 * also told who is offline.
 */
export const onlineHunters = z.object({
  names: z.array(z.string()),
  /** The world of each of these, in their order. */
  worlds: z.array(z.string()),
  /** When the game's data was read; older than `ONLINE_LASTS_MS` it says nothing. */
  as_of: timestamp,
  /** Who is not online, and since when this server has known so. */
  offline: z.array(z.object({ name: z.string(), since: timestamp })).exactOptional(),
});
export type OnlineHunters = z.infer<typeof onlineHunters>;
