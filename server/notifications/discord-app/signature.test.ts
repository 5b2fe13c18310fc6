import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  isSignedByDiscord,
  MAX_SIGNATURE_AGE_S,
  publicKeyOf,
  type SignatureHeaders,
  signedHeaders,
} from './signature.ts';

const now = new Date('2026-11-21T18:00:00Z');
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const body = Buffer.from('{ "type": 1,  "name": "Éowyn" }');

interface SignedRequest extends SignatureHeaders {
  body: Buffer;
}

function aRequest(change: Partial<SignedRequest> = {}, seconds = 0): SignedRequest {
  const timestamp = String(now.getTime() / 1_000 + seconds);
  const signature = sign(null, Buffer.concat([Buffer.from(timestamp), body]), privateKey).toString(
    'hex',
  );
  return { signature, timestamp, body, ...change };
}

function isSigned(public_key: string, { body, ...headers }: SignedRequest): boolean {
  const signed = signedHeaders(headers, now);
  return signed !== null && isSignedByDiscord(publicKeyOf(public_key), signed, body);
}

it.each([0, MAX_SIGNATURE_AGE_S, -MAX_SIGNATURE_AGE_S])(
  'accepts a valid signature %i s from now',
  (seconds) => {
    expect(isSigned(public_key, aRequest({}, seconds))).toBe(true);
  },
);

it.each([
  ['of another body', aRequest({ body: Buffer.from('{"type":1,"name":"Éowyn"}') })],
  ['of another time', aRequest({ timestamp: String(now.getTime() / 1_000 + 1) })],
  ['that is too old', aRequest({}, -MAX_SIGNATURE_AGE_S - 1)],
  ['from too far ahead', aRequest({}, MAX_SIGNATURE_AGE_S + 1)],
  ['that is cut off', aRequest({ signature: aRequest().signature?.slice(2) })],
  ['that is not hexadecimal', aRequest({ signature: 'z'.repeat(128) })],
  ['that is missing', aRequest({ signature: undefined })],
  ['without a timestamp', aRequest({ timestamp: undefined })],
  ['with a timestamp that is no number', aRequest({ timestamp: '1e9' })],
])('refuses a signature %s', (_, request) => {
  expect(isSigned(public_key, request)).toBe(false);
});

it('refuses a signature by another key', () => {
  const other = generateKeyPairSync('ed25519')
    .publicKey.export({ format: 'der', type: 'spki' })
    .subarray(-32)
    .toString('hex');
  expect(isSigned(other, aRequest())).toBe(false);
});
