import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DomainError } from '../../shared/errors.ts';

const FILE = path.join(import.meta.dirname, 'common-passwords.txt');

let common: ReadonlySet<string> | null = null;

/** Whether a password is one of the 10,000 that guessers try first, in any case. Read when first needed: few processes set passwords. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(
    readFileSync(FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  );
  return common.has(password.toLowerCase());
}

/** @throws DomainError admin.passwordCommon */
export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password)) throw new DomainError('admin.passwordCommon');
}
