import fc from 'fast-check';
import { anyText } from '../../../../shared/test/any-text.ts';
import type { Schema } from './schema.ts';

/** A placeholder for something from an earlier answer; filled in when the request is sent. */
export class Known {
  readonly what: 'id' | 'text';
  readonly nth: number;

  constructor(what: 'id' | 'text', nth: number) {
    this.what = what;
    this.nth = nth;
  }
}
const known = (what: Known['what']): fc.Arbitrary<Known> =>
  fc.nat(1_000).map((nth) => new Known(what, nth));

const DEEP = `${'[{"a":'.repeat(200)}1${'}]'.repeat(200)}`;

/** What breaks programs: of the wrong type, at the edge of its type, absurd in size, or poisoned. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    '',
    ' ',
    0,
    -1,
    1,
    0.5,
    1e308,
    -1e308,
    2 ** 31,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
  ),
  fc.constantFrom(
    'NaN',
    '__proto__',
    'constructor',
    '0000-00-00',
    '2026-02-30',
    '9999-12-31',
    '+1+1',
    '1e9',
    'null',
    '%00',
    '٣',
  ),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '\u200b',
    'Ā'.repeat(61),
    'x'.repeat(5_000),
    "' or 1=1 --",
    '<script>alert(1)</script>',
    '‮',
  ),
  fc.constantFrom<unknown>(
    JSON.parse('{"__proto__":{"a":1}}'),
    JSON.parse(DEEP),
    Array.from({ length: 900 }, () => ({})),
  ),
  anyText({ maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Dates around the proof's own today, or any. */
function dates(today: string): fc.Arbitrary<string> {
  const near = fc
    .integer({ min: -3, max: 8 })
    .map((days) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10));
  return fc.oneof(
    { weight: 9, arbitrary: near },
    { weight: 1, arbitrary: fc.constantFrom('1970-01-01', '2028-02-29', '9998-12-31') },
  );
}

/** Accepted addresses lead nowhere: this must not send anything to other servers. */
const urls = fc
  .record({
    scheme: fc.constantFrom(
      'https://',
      'https://',
      'https://',
      'https://',
      'http://',
      'HTTPS:',
      'ftp://',
      'file://',
      'javascript:',
      '//',
      '',
    ),
    user: fc.constantFrom('', '', '', '', 'name@', 'name:word@', '@', '%40@'),
    host: fc.constantFrom(
      ...[
        'localhost',
        'localhost',
        'localhost',
        'LOCALHOST.',
        'ｌocalhost',
        'a'.repeat(64),
        'x.'.repeat(130),
        '',
        ' ',
        '*',
      ],
      ...[
        '127.0.0.1',
        '2130706433',
        '0x7f.1',
        '0177.1',
        '10.0.0.1',
        '169.254.169.254',
        '[::1]',
        '[::ffff:10.0.0.1]',
        '[fe80::1%25eth0]',
        '[::',
      ],
    ),
    port: fc.constantFrom('', '', ':443', ':0', ':65535', ':65536', ':x', ':'),
    rest: fc.constantFrom(
      '',
      '/',
      '/api/webhooks/1/x',
      '/hook?a=%00#b',
      '/\ud800',
      '/../..//',
      '\r\nX: y',
      `/${'x'.repeat(1_990)}`,
    ),
  })
  .map(({ scheme, user, host, port, rest }) => scheme + user + host + port + rest);

function texts(name: string, schema: Schema, today: string): fc.Arbitrary<unknown> {
  if (schema.format === 'date') return dates(today);
  if (name.endsWith('_time')) return dates(today).map((date) => `${date}T10:00`);
  if (name === 'url') return urls;
  if (name.endsWith('color')) return fc.constantFrom('#3182ce', '#fff', '#123');
  const short = fc.string({
    unit: fc.constantFrom('a', 'b', 'Z', ' ', "'", 'é'),
    minLength: 1,
    maxLength: Math.min(schema.maxLength ?? 12, 12),
  });
  return fc.oneof({ weight: 3, arbitrary: known('text') }, { weight: 2, arbitrary: short });
}

function numbers(name: string, { minimum = 0, maximum = 30 }: Schema): fc.Arbitrary<unknown> {
  if (name === 'id' || name.endsWith('_id') || name.endsWith('Id')) return known('id');
  const max = Math.min(maximum, minimum + 30);
  return fc.integer({ min: Math.max(minimum, -30), max: Math.max(max, Math.max(minimum, -30)) });
}

function objects({ properties = {}, required = [] }: Schema, today: string): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valuesOf(each, today, name)]),
  );
  const whole = fc.record(fields, {
    requiredKeys: Object.keys(fields).filter((name) => required.includes(name)),
  });
  const withMore = fc
    .tuple(whole, fc.dictionary(fc.string({ maxLength: 5 }), hostile, { maxKeys: 2 }))
    .map(([a, b]) => ({ ...a, ...b }));
  const withLess = fc.record(fields, { requiredKeys: [] });
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 1, arbitrary: withMore },
    { weight: 1, arbitrary: withLess },
  );
}

function fitting(schema: Schema, today: string, name: string): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  if (schema.anyOf && schema.anyOf.length > 0)
    return fc.oneof(...schema.anyOf.map((each) => valuesOf(each, today, name)));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => fitting({ ...schema, type }, today, name)));
  switch (schema.type) {
    case 'object':
      return objects(schema, today);
    case 'array':
      return fc.array(schema.items ? valuesOf(schema.items, today, name) : hostile, {
        minLength: 1,
        maxLength: 3,
      });
    case 'string':
      return texts(name, schema, today);
    case 'number':
    case 'integer':
      return numbers(name, schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.oneof(known('id'), hostile);
  }
}

/** Mostly what a schema asks for, so that the rules behind it are reached; else what it does not. */
export function valuesOf(schema: Schema, today: string, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 40, arbitrary: fitting(schema, today, name) },
    { weight: 1, arbitrary: hostile },
  );
}

/** A value as it is sent, with placeholders filled in. */
export function filledIn(
  value: unknown,
  nth: (what: Known['what'], nth: number) => unknown,
): unknown {
  if (value instanceof Known) return nth(value.what, value.nth);
  if (Array.isArray(value)) return value.map((each) => filledIn(each, nth));
  // Drawn records have no prototype, so they are no instances of Object.
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, filledIn(each, nth)]),
    );
  return value;
}
