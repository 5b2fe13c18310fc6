import { describe, expect, it } from 'vitest';
import { codesIn, newCode, newVerificationToken } from './codes.ts';

describe('a code', () => {
  it('is a prefix and eight unambiguous characters', () => {
    const codes = Array.from({ length: 200 }, newCode);
    for (const code of codes) expect(code).toMatch(/^CLAIM-[2-9A-HJKMNP-Z]{8}$/);
    expect(new Set(codes).size).toBe(200);
    expect(newVerificationToken()).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    'CLAIM-7KQ2M9XA',
    'claim-7kq2m9xa',
    'My code: CLAIM-7KQ2M9XA.',
    'Knight of Antica\nCLAIM-7KQ2M9XA\nGuild: Red Rose',
    '<CLAIM-7KQ2M9XA>',
    '*CLAIM-7KQ2M9XA*',
    'Grüße! CLAIM-7KQ2M9XA ß',
  ])('is found in the comment %j', (comment) => {
    expect(codesIn(comment)).toEqual(new Set(['CLAIM-7KQ2M9XA']));
  });

  it.each([
    '',
    '7KQ2M9XA',
    'CLAIM-7KQ2M9X',
    'CLAIM-7KQ2M9XAA',
    'XCLAIM-7KQ2M9XA',
    'CLAIM-7KQ2M9XAß',
    'CLAIM 7KQ2M9XA',
    'CLAIM-7KQ2\nM9XA',
  ])('is not found in the comment %j', (comment) => {
    expect(codesIn(comment)).not.toContain('CLAIM-7KQ2M9XA');
  });

  it('is found among others, anywhere in a comment', () => {
    const codes = Array.from({ length: 50 }, newCode);
    expect(codesIn(`${'CLAIM-'.repeat(500)} ${codes.join(' and ')}\n${'A'.repeat(1_000)}`)).toEqual(
      new Set(codes),
    );
  });
});
