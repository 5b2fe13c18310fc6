import type { Agent } from 'node:http';
import { z } from 'zod';
import type { Role } from './requests.ts';
import { send } from './send.ts';

export const FUZZ_PASSWORD = 'fuzz-password';
const MEMBER = 'Fuzz Member';
const TRIES = 10;

const signedIn = z.object({ data: z.object({ token: z.string() }) });
const madeKey = z.object({ data: z.object({ key_value: z.string() }) });
const keys = z.object({ data: z.array(z.object({ id: z.number(), character_name: z.string() })) });

/** The callers. Random calls of an admin end sessions and keys, so both are renewed when they are invalid. */
export interface People {
  headersOf: (role: Role) => Record<string, string>;
  adminToken: () => string;
  memberKey: () => string;
  renew: () => Promise<void>;
}

export async function createPeople(agent: Agent, api: string): Promise<People> {
  let token = '';
  let key = '';
  const call = async (
    method: string,
    path: string,
    body: object | null = null,
  ): Promise<{ status: number; text: string }> =>
    send(agent, {
      method,
      url: `${api}${path}`,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      body: body ? JSON.stringify(body) : null,
    });
  const renewAdmin = async (): Promise<void> => {
    if ((await call('get', '/admin/verify')).status === 200) return;
    const login = await call('post', '/login', { username: 'admin', password: FUZZ_PASSWORD });
    token = signedIn.parse(JSON.parse(login.text)).data.token;
  };
  const renewMember = async (): Promise<void> => {
    const holds = await call('post', '/validate-access-key', { accessKey: key || 'none' });
    if (holds.status === 200) return;
    await call('post', '/admin/unban-character', { character_name: MEMBER });
    const all = keys.parse(JSON.parse((await call('get', '/admin/access-keys')).text)).data;
    const mine = all.find(({ character_name }) => character_name === MEMBER);
    if (mine) await call('delete', `/admin/access-keys/${mine.id}`);
    const made = await call('post', '/admin/access-keys', {
      characterName: MEMBER,
      memberType: 'elite',
    });
    key = madeKey.parse(JSON.parse(made.text)).data.key_value;
  };
  const renewBoth = async (triesLeft = TRIES): Promise<void> => {
    try {
      await renewAdmin();
      await renewMember();
    } catch (error) {
      // A random call may have ended the session or the key in between.
      if (triesLeft === 0) throw error;
      await renewBoth(triesLeft - 1);
    }
  };
  let renewing: Promise<void> | null = null;
  const renew = (): Promise<void> => {
    renewing ??= renewBoth().finally(() => {
      renewing = null;
    });
    return renewing;
  };
  await renew();
  const headersOf = (role: Role): Record<string, string> => {
    switch (role) {
      case 'visitor':
        return {};
      case 'member':
        return { 'X-Access-Key': key };
      case 'admin':
        return { Authorization: `Bearer ${token}` };
      case 'liar':
        return { Authorization: 'Bearer x\u00e9', 'X-Access-Key': 'AAAA-BBBB' };
    }
  };
  return { headersOf, adminToken: () => token, memberKey: () => key, renew };
}
