import { hash } from 'node:crypto';

/** Tokens are random and long, so a plain hash keeps them as safe as a slow one would. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
