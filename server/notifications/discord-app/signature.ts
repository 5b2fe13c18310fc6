import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** Interactions whose timestamp is further from now than this are refused, in seconds. */
export const MAX_SIGNATURE_AGE_S = 300;

/** The DER prefix of an Ed25519 public key of 32 bytes (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_HEX = /^[\da-f]{128}$/i;
const SECONDS = /^\d{1,12}$/;

/** @param hex 64 hexadecimal digits. @throws Error if it is no point of the curve */
export const publicKeyOf = (hex: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([ED25519_PREFIX, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' });

export interface SignedRequest {
  /** The header X-Signature-Ed25519, in hexadecimal. */
  signature: string | undefined;
  /** The header X-Signature-Timestamp, in seconds since 1970. */
  timestamp: string | undefined;
  /** The bytes as they arrived: parsed and written again, they would differ. */
  body: Buffer;
}

/** Whether Discord signed this request not long ago. */
export function isSignedByDiscord(public_key: string, { signature, timestamp, body }: SignedRequest, now: Date): boolean {
  if (!signature || !timestamp || !SIGNATURE_HEX.test(signature) || !SECONDS.test(timestamp)) return false;
  // Also in the future: a clock of ours that is behind must not make a stale request valid for longer.
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > MAX_SIGNATURE_AGE_S) return false;
  try {
    return verify(null, Buffer.concat([Buffer.from(timestamp), body]), publicKeyOf(public_key), Buffer.from(signature, 'hex'));
  } catch {
    return false;
  }
}
