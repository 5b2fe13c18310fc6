import { describe, expect, it } from 'vitest';
import { limits, limitsIn } from './limits.mjs';
import { withPart } from './marked-part.mjs';

const limitsOf = (code: string, ...names: string[]) =>
  limitsIn([{ file: 'server/a.ts', code }], { All: names }).All;

describe('the limits', () => {
  it('have value, description and file from the code', () => {
    const code =
      '/** Body of a request, in bytes. */\nexport const MAX_BODY_BYTES = 2 * 1024 * 1024;';
    expect(limitsOf(code, 'MAX_BODY_BYTES')).toEqual([
      { name: 'MAX_BODY_BYTES', value: '2 MiB', what: 'Body of a request.', file: 'server/a.ts' },
    ]);
  });

  it('keep the unit in the description where the value has none', () => {
    const [limit] =
      limitsOf(
        '/** Message of a client, in bytes; an event takes 300. */ const MAX_MESSAGE = 10_000;',
        'MAX_MESSAGE',
      ) ?? [];
    expect(limit).toMatchObject({
      value: '10,000',
      what: 'Message of a client, in bytes; an event takes 300.',
    });
  });

  it('show the unit that the name has, and numbers with separators', () => {
    const code = `
      /** A */ const WAIT_MS = 4_500; /** B */ const KEPT_DAYS = 7; /** C */ const LEASE_S = 3 * 20; /** D */ const SHORT_MS = 20;
      /** E */ const MAX_ROWS = 10 ** 4; /** F */ const TWICE = 2 * MAX_ROWS;`;
    const values = limitsOf(
      code,
      'WAIT_MS',
      'KEPT_DAYS',
      'LEASE_S',
      'SHORT_MS',
      'MAX_ROWS',
      'TWICE',
    );
    expect(values?.map(({ value }) => value)).toEqual([
      '4.5 s',
      '7 days',
      '1 min',
      '20 ms',
      '10,000',
      '20,000',
    ]);
  });

  it('describe the fields of an object by its interface', () => {
    const code = `interface Limits { /** Requests of a connection. */ requests: number }
      export const LIMITS: Limits = { requests: 32 };`;
    expect(limitsOf(code, 'LIMITS')).toEqual([
      {
        name: 'LIMITS.requests',
        value: '32',
        what: 'Requests of a connection.',
        file: 'server/a.ts',
      },
    ]);
  });

  it.each([
    ['const MAX_ROWS = 5;', 'MAX_ROWS', 'needs a description'],
    ['/** Rows. */ const MAX_ROWS = rows();', 'MAX_ROWS', 'cannot be computed'],
    ['/** Rows. */ const MAX_LINES = 5;', 'MAX_ROWS', '0 files define'],
    ['/** Rows. */ const MAX_ROWS = 5;', 'client MAX_ROWS', '0 files define'],
  ])('refuses %s', (code, name, why) => {
    expect(() => limitsOf(code, name)).toThrow(why);
  });

  it('are all found in this repository', () => {
    const all = Object.values(limits()).flat();
    expect(all.length).toBeGreaterThan(80);
    expect(all).toContainEqual(
      expect.objectContaining({
        name: 'MAX_BODY_BYTES',
        value: '16 KiB',
        file: 'server/http/request-body.ts',
      }),
    );
  });
});

describe('a generated part', () => {
  it('replaces the one before', () => {
    const document = 'Speed\n\n<!-- bench -->\nold\n<!-- /bench -->\n\nmore\n';
    expect(withPart(document, 'bench', 'new')).toBe(
      'Speed\n\n<!-- bench -->\nnew\n<!-- /bench -->\n\nmore\n',
    );
  });

  it('needs its markers', () => {
    expect(() => withPart('nothing', 'bench', 'new')).toThrow('no place for the bench');
  });
});
