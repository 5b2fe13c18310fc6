import { z } from 'zod';
import type { ScryptCost } from '../../auth/passwords.ts';

const answer = z.object({ data: z.object({ token: z.string() }) });

/** Tests sign in often: a hash takes 2 ms. */
export const CHEAP_HASH: ScryptCost = { N: 2 ** 10, r: 8, p: 1 };

/** Signs the admin in at a server on this machine. @returns the token. @throws Error when it is refused */
export async function signIn(
  port: number,
  { ADMIN_PASSWORD: password }: { readonly [name: string]: string },
): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password });
  const response = await fetch(`http://127.0.0.1:${port}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  if (!response.ok) throw new Error(`the admin was not signed in: ${response.status}`);
  return answer.parse(await response.json()).data.token;
}
