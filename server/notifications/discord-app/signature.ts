import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** Interactions whose timestamp is further from now than this are refused, in seconds. */
export const MAX_SIGNATURE_AGE_S = 300;

/** The DER prefix of an Ed25519 public key of 32 bytes (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_HEX = /^[\da-f]{128}$/i;
const SECONDS = /^\d{1,12}$/;

/** @param hex 64 hexadecimal digits. @throws Error if it is no point of the curve */
export const publicKeyOf = (hex: string): KeyObject =>
  createPublicKey({
    key: Buffer.concat([ED25519_PREFIX, Buffer.from(hex, 'hex')]),
    format: 'der',
    type: 'spki',
  });

/** The headers of a signed request. */
export interface SignatureHeaders {
  /** X-Signature-Ed25519, in hexadecimal. */
  signature: string | undefined;
  /** X-Signature-Timestamp, in seconds since 1970. */
  timestamp: string | undefined;
}

interface Signed {
  signature: string;
  timestamp: string;
}

/** The headers, if a body could be signed by them and was not long ago: without it, the body is not worth reading. */
export function signedHeaders(
  { signature, timestamp }: SignatureHeaders,
  now: Date,
): Signed | null {
  if (!signature || !timestamp || !SIGNATURE_HEX.test(signature) || !SECONDS.test(timestamp))
    return null;
  // Also in the future: a clock of ours that is behind must not make a stale request valid for longer.
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > MAX_SIGNATURE_AGE_S) return null;
  return { signature, timestamp };
}

/** @param body the bytes as they arrived: parsed and written again, they would differ */
export const isSignedByDiscord = (
  key: KeyObject,
  { signature, timestamp }: Signed,
  body: Buffer,
): boolean =>
  verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
