import { z } from 'zod';

/** Steps of another version are skipped. */
const stored = z.object({
  skipped: z.array(z.string()),
  is_dismissed: z.boolean(),
  /** The guild is an invented one (`npm run demo`), also after it was restored elsewhere. */
  is_demo: z.boolean().default(false),
});
export type StoredSetup = z.infer<typeof stored>;

export const parseSetup = (text: string): StoredSetup => stored.parse(JSON.parse(text));

/** Whether a text is a setup that can be read. */
export function isSetup(text: string): boolean {
  try {
    parseSetup(text);
    return true;
  } catch {
    return false;
  }
}
