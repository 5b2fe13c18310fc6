import fc from 'fast-check';
import { anyText } from '../../../shared/test/any-text.ts';

interface Shape {
  readonly [key: string]: unknown;
}

const isShape = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that programs fail on: invalid or extreme dates, extreme numbers, characters of other scripts. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\t\n',
    '.',
    '..',
    '+1+1',
    '0',
    '-0',
    '1e308',
    '9007199254740993',
    'NaN',
    '__proto__',
    'constructor',
    '%',
    "'",
  ),
  fc.constantFrom(
    '0000-01-01',
    '0001-01-01',
    '1969-12-31',
    '1970-01-01',
    '2026-02-30',
    '2026-11-21',
    '9998-12-31',
    '9999-12-31',
  ),
  fc.constantFrom(
    '2026-11-21T10:00',
    '2026-11-21 25:61',
    '9998-12-31T23:59Z',
    '+275760-09-13',
    '-271822-04-20',
    '2026-11-21T00:00+99:99',
  ),
  fc.constantFrom(
    'a'.repeat(61),
    'a '.repeat(5_000),
    '٣',
    'İ',
    'ﷺ',
    '\ud800',
    '\u0000',
    '👩‍👩‍👧‍👦',
    '<b>',
    '{{x}}',
    '$t(a)',
  ),
  anyText({ maxLength: 20 }),
);
const number = fc.oneof(
  fc.constantFrom(
    -1,
    -0,
    0,
    1,
    2,
    23,
    24,
    0.5,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    1e308,
    -1e308,
    5e-324,
  ),
  fc.integer(),
);
const anything = fc.oneof(
  text,
  number,
  fc.constantFrom(null, undefined, true, false, [], {}, [[]], { toString: 1, valueOf: 1 }),
  fc.jsonValue(),
);

/** Values for a JSON schema: mostly of the right kind for a field, sometimes any other. */
export function hostileValue(shape: unknown): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 4, arbitrary: fitting(shape) }, { weight: 1, arbitrary: anything });
}

function fitting(shape: unknown): fc.Arbitrary<unknown> {
  if (!isShape(shape)) return anything;
  if ('const' in shape) return fc.constant(shape.const);
  if (Array.isArray(shape.enum)) return fc.constantFrom(...shape.enum);
  for (const choices of [shape.anyOf, shape.oneOf])
    if (Array.isArray(choices)) return fc.oneof(...choices.map(hostileValue));
  switch (shape.type) {
    case 'object':
      return hostileFields(shape);
    case 'array':
      return fc.array(hostileValue(shape.items), { maxLength: 4 });
    case 'number':
    case 'integer':
      return fc.oneof(number, fc.integer({ min: 0, max: 24 }));
    case 'string':
      return fc.oneof(
        text,
        fc.constantFrom('2026-11-21', 'Bubble', '#fff', 'single_claim', 'member'),
      );
    default:
      return anything;
  }
}

/** An object with the fields of a JSON schema, each hostile or missing now and then. */
export function hostileFields(shape: unknown): fc.Arbitrary<Record<string, unknown>> {
  const properties = isShape(shape) && isShape(shape.properties) ? shape.properties : {};
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, hostileValue(each)]),
  );
  return fc.record(fields, { requiredKeys: [] });
}
