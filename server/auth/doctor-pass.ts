import { timingSafeEqual } from 'node:crypto';
import type { AddressHash } from '../http/client-address.ts';

/** How long a pass is valid, and how far the clocks of the doctor and the server may differ, in milliseconds. */
const VALID_MS = 10 * 60_000;

const signature = (hash: AddressHash, until: string): Promise<string> => hash(`doctor ${until}`);

/** Lets the doctor open a live connection without a key: it proves access to the database, by a secret that is stored there. */
export async function createDoctorPass(hash: AddressHash, now: Date): Promise<string> {
  const until = String(now.getTime() + VALID_MS / 2);
  return `${until}.${await signature(hash, until)}`;
}

export async function isDoctorPass(pass: string, hash: AddressHash, now: Date): Promise<boolean> {
  const [until = '', mac = ''] = pass.split('.');
  if (!/^\d{1,15}$/.test(until) || Math.abs(Number(until) - now.getTime()) > VALID_MS) return false;
  const given = Buffer.from(mac);
  const expected = Buffer.from(await signature(hash, until));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
