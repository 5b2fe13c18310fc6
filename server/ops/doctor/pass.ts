import { timingSafeEqual } from 'node:crypto';
import type { AddressHash } from '../../http/client-address.ts';

/** How long a pass is good, and how far its clock may be from the server's, in milliseconds. */
const GOOD_MS = 10 * 60_000;

const signed = (hash: AddressHash, until: string): Promise<string> => hash(`doctor ${until}`);

/** What opens a live connection for whoever has the database, for some minutes: nothing is stored for it, and nobody's key is shown. */
export async function doctorPass(hash: AddressHash, now: Date): Promise<string> {
  const until = String(now.getTime() + GOOD_MS / 2);
  return `${until}.${await signed(hash, until)}`;
}

/** Whether it was made by whoever has this database, and shortly ago. */
export async function isDoctorPass(pass: string, hash: AddressHash, now: Date): Promise<boolean> {
  const [until = '', mac = ''] = pass.split('.');
  if (!/^\d{1,15}$/.test(until) || Math.abs(Number(until) - now.getTime()) > GOOD_MS) return false;
  const [shown, ours] = [Buffer.from(mac), Buffer.from(await signed(hash, until))];
  return shown.length === ours.length && timingSafeEqual(shown, ours);
}
