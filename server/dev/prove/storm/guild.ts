import { z } from 'zod';
import { addDays, serverSaveTime } from '../../../../shared/rules/server-save.ts';
import { type AccessKey, accessKey } from '../../../../shared/schemas/access-key.ts';
import { askFor } from '../ask.ts';
import { ADMIN_PASSWORD } from './place.ts';

export interface Guild {
  /** Of the admin. */
  token: string;
  keys: readonly AccessKey[];
  /** The first one late enough not to be over before the proof is. */
  dates: readonly string[];
}

const signedIn = z.object({ data: z.object({ token: z.string() }) });
const created = z.object({ data: accessKey });

async function signIn(url: string): Promise<string> {
  const body = { username: 'admin', password: ADMIN_PASSWORD };
  return (await askFor(signedIn, url, { method: 'POST', path: '/login', body })).data.token;
}

function datesAhead(days: number): string[] {
  const { date } = serverSaveTime(new Date(), { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 });
  return Array.from({ length: days }, (_, i) => addDays(date, i + 2));
}

/** A signed-in admin, and members who may claim anything. */
export async function aGuild(url: string, members: number, days: number): Promise<Guild> {
  const token = await signIn(url);
  const headers = { Authorization: `Bearer ${token}` };
  const keys: AccessKey[] = [];
  for (let i = 1; i <= members; i += 1) {
    const body = { characterName: `Hunter ${i}`, memberType: 'elite' };
    keys.push(
      (await askFor(created, url, { method: 'POST', path: '/admin/access-keys', headers, body }))
        .data,
    );
  }
  return { token, keys, dates: datesAhead(days) };
}
