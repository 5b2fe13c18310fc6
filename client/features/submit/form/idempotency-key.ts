/** A random key; `crypto.randomUUID` would be missing where the site is served without HTTPS, as in a LAN hall. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
