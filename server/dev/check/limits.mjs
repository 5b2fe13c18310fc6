/** Collects the limits of the server: value, description and file come from the code, only the grouping is here. */

import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { at } from '../setup/command.mjs';

/**
 * @typedef {object} Limit
 * @property {string} name
 * @property {string} value as text, with its unit
 * @property {string} what
 * @property {string} file from the repository's root
 *
 * @typedef {import('vite').ESTree.Expression} Expression
 * @typedef {{ name: string, init: Expression, interfaceName: string | undefined, what: string }} Constant
 * @typedef {{ file: string, constants: Constant[], fields: Map<string, Map<string, string>> }} Source
 */

/**
 * The constants of each group. A name that several files use is preceded by a part of its file's path. A limit that callers or operators
 * can run into belongs here; a bound that only its own file knows does not.
 */
const GROUPS = {
  'Connections and requests': [
    'CONNECTION_LIMITS',
    'MAX_BODY_BYTES',
    'MAX_SUBMISSION_BYTES',
    'MAX_CLAIMS_IN_SUBMISSION',
    'MAX_IDEMPOTENCY_KEY_LENGTH',
    'MAX_PAGE',
    'MAX_LIST',
    'MAX_COMPRESSORS',
  ],
  'Sign-in and verification': [
    'WRONG_KEYS',
    'WRONG_LOGINS',
    'rate-limits WINDOW_MS',
    'ONE_IN_MS',
    'MAX_SECRET_LENGTH',
    'CODES_FOR_NAME',
    'COMMANDS_IN_WINDOW',
    'SUGGESTIONS_IN_WINDOW',
    'WRONG_CODES',
    'NAMES_FROM_ADDRESS',
    'CODES_OF_ADDRESS_FOR_NAME',
    'CODES_OF_NAME',
    'CODES_OF_ADDRESS',
    'VERIFIED_KEPT',
    'MAX_NAMES_OF_ADDRESS',
    'verification MAX_ADDRESSES',
    'MAX_ANSWER_BYTES',
    'MAX_REQUESTED_BACKOFF_S',
    'MAX_ADMINS',
    'MAX_INVITATIONS',
    'INVITATION_DAYS',
    'ADMIN_SESSION_DAYS',
  ],
  'Claims, waitlists and events': [
    'DEFAULT_HORIZON_DAYS',
    'WAITS_A_CHARACTER',
    'WAITS_A_DAY',
    'WAITS_ON_WAITLIST',
    'WAITS_IN_ALL',
    'OFFERS_A_DAY',
    'OFFERS_TO_ONE',
    'STANDING_A_DAY',
    'MAX_EVENT_DAYS',
    'MAX_HOURS_PER_DAY',
    'MAX_HOURS_PER_EVENT',
    'MAX_CLAIMS_TO_COPY',
    'MAX_DATES_TO_COPY',
    'MAX_NAME_LENGTH',
    'MAX_IMAGE_BYTES',
    'MAX_SIDE',
    'MAX_PIXELS',
    'MAX_BULK',
    'MAX_IMPORT_ROWS',
    'MAX_CELL_LENGTH',
    'MAX_NEW_CATEGORIES',
    'MAX_CLAIMS_TO_UNDO',
    'MAX_RANKED',
    'MAX_STARS',
    'MAX_STAR_CHANGES_PER_MINUTE',
    'COUNTED_AT_ONCE',
  ],
  'Live connections': [
    'admission MAX_CONNECTIONS',
    'MAX_UNSENT',
    'MAX_BYTES_IN_FLIGHT',
    'MAX_PACKETS',
    'MAX_MESSAGE_BYTES',
    'MAX_SYNCS',
    'MAX_SNAPSHOTS',
    'MAX_CATCH_UP',
    'MAX_CATCH_UP_LENGTH',
    'MANY_CHANGES',
    'CHANGE_SETS_KEPT',
    'MAX_CHOICES',
    'MAX_CHOICES_TOLD',
    'PING_EVERY_MS',
  ],
  'Writes and the database': [
    'WRITES_WAITING',
    'WRITE_WAITS_MS',
    'WRITES_TOGETHER',
    'TOGETHER_WITHIN_MS',
    'MANY_ROWS',
    'postgres STATEMENT_TIMEOUT_MS',
    'LONG_STATEMENT_TIMEOUT_MS',
    'postgres ANSWER_WITHIN_MS',
    'postgres READERS',
    'LONG_READERS',
    'CLAIM_BATCH_SIZE',
  ],
  'Jobs, notifications and calendars': [
    'LEASE_S',
    'GIVEN_UP_DAYS',
    'JOBS_A_LOOK',
    'MAX_DESTINATIONS',
    'MAX_URL_LENGTH',
    'DELIVERIES_KEPT',
    'MESSAGES_A_RUN',
    'outbound TIMEOUT_MS',
    'MAX_SENT_BYTES',
    'MAX_READ_BYTES',
    'MAX_KEPT_BYTES',
    'MAX_ANSWER_LENGTH',
    'MAX_RETRY_AFTER_S',
    'channels MAX_EVENTS',
    'MAX_SUBSCRIPTIONS',
    'MAX_LINKED',
    'MAX_INTERACTION_BYTES',
    'MAX_INTERACTION_BODIES',
    'INTERACTION_BODY_MS',
    'MAX_REFUSALS',
    'MAX_TESTS',
    'MAX_PER_SERVICE',
    'calendar MAX_EVENTS',
  ],
  'Backups, browser errors and stopping': [
    'DAYS_KEPT',
    'MAX_LINE',
    'UNPACKED_FREE',
    'UNPACKED_TIMES',
    'client-errors MAX_PER_ADDRESS',
    'MAX_REPORTS',
    'MAX_ERROR_MESSAGE',
    'MAX_ERROR_STACK',
    'MAX_ERROR_PAGE',
    'STOP_WITHIN_MS',
  ],
};

/** @param {string} comment a JSDoc comment's inside @returns {string} */
const textOf = (comment) =>
  comment
    .replace(/^\s*\*\s?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** @param {string} file @param {string} code @returns {Source} */
function readSource(file, code) {
  const { program, comments } = parseSync(file, code);
  /** The JSDoc comment directly before a node. @param {number} start */
  const docAt = (start) => {
    const comment = comments.findLast(
      ({ type, value, end }) => type === 'Block' && value.startsWith('*') && end <= start,
    );
    return comment && code.slice(comment.end, start).trim() === '' ? textOf(comment.value) : '';
  };
  /** @type {Source} */
  const source = { file, constants: [], fields: new Map() };
  for (const node of program.body) {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declared?.type === 'TSInterfaceDeclaration') {
      const fields = declared.body.body.flatMap((field) =>
        field.type === 'TSPropertySignature' && field.key.type === 'Identifier'
          ? [[field.key.name, docAt(field.start)]]
          : [],
      );
      source.fields.set(declared.id.name, new Map(/** @type {[string, string][]} */ (fields)));
    }
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declared.declarations) {
      if (id.type !== 'Identifier' || !init || !/^[A-Z][A-Z0-9_]+$/.test(id.name)) continue;
      const type = id.typeAnnotation?.typeAnnotation;
      const interfaceName =
        type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier'
          ? type.typeName.name
          : undefined;
      source.constants.push({ name: id.name, init, interfaceName, what: docAt(node.start) });
    }
  }
  return source;
}

/** @param {number} ms */
function duration(ms) {
  const units = /** @type {const} */ ([
    [86_400_000, 'day'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ]);
  const [size, unit] =
    units.find(([length]) => ms >= length && ms % length === 0) ??
    (ms >= 1_000 ? [1_000, 's'] : [1, 'ms']);
  return `${(ms / size).toLocaleString('en')} ${unit === 'day' && ms !== size ? 'days' : unit}`;
}

/** The value with the unit that the name or the description gives. @param {string} name @param {string} what @param {number} value */
function formatted(name, what, value) {
  if (/_ms$/i.test(name)) return duration(value);
  if (/_s$/i.test(name)) return duration(value * 1_000);
  if (/_days$/i.test(name)) return duration(value * 86_400_000);
  if (/BYTES/.test(name) || what.startsWith('Bytes ')) {
    const [size, unit] = /** @type {const} */ ([
      [1_024 ** 3, 'GiB'],
      [1_024 ** 2, 'MiB'],
      [1_024, 'KiB'],
    ]).find(([length]) => value % length === 0) ?? [1, 'bytes'];
    return `${(value / size).toLocaleString('en')} ${unit}`;
  }
  return value.toLocaleString('en');
}

/** Leaves out the unit where the table shows it beside the value. @param {string} what @param {string} value */
const withoutUnit = (what, value) =>
  (/[a-z]/i.test(value)
    ? what.replace(/,? in (milliseconds|ms|seconds|days|bytes)(?=[.,:;])/g, '')
    : what
  ).replaceAll('|', '\\|');

/** Reads constants in order to compute their values. */
class Constants {
  /** @param {Source[]} sources */
  constructor(sources) {
    this.all = sources.flatMap(({ file, constants, fields }) =>
      constants.map((constant) => ({ ...constant, file, fields })),
    );
  }

  /** @param {string} wanted a name, perhaps preceded by a part of its file's path */
  find(wanted) {
    const [name = '', part = ''] = wanted.split(' ').reverse();
    const found = this.all.filter(
      (constant) => constant.name === name && constant.file.includes(part),
    );
    if (found.length !== 1)
      throw new Error(`limits.mjs names ${wanted}, which ${found.length} files define`);
    return /** @type {(typeof found)[number]} */ (found[0]);
  }

  /** @param {Expression} node @param {string} file @returns {number} NaN for anything but a constant expression of numbers */
  evaluate(node, file) {
    if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : Number.NaN;
    if (node.type === 'Identifier') {
      const named = this.all.filter(({ name }) => name === node.name);
      const constant =
        named.find((one) => one.file === file) ?? (named.length === 1 ? named[0] : undefined);
      return constant ? this.evaluate(constant.init, constant.file) : Number.NaN;
    }
    if (node.type !== 'BinaryExpression' || node.left.type === 'PrivateIdentifier')
      return Number.NaN;
    const left = this.evaluate(node.left, file);
    const right = this.evaluate(node.right, file);
    if (node.operator === '*') return left * right;
    if (node.operator === '+') return left + right;
    if (node.operator === '**') return left ** right;
    return Number.NaN;
  }

  /** One limit, or one for each field of an object whose interface describes them. @param {Constants['all'][number]} constant @returns {Limit[]} */
  limits({ name, init, interfaceName, what, file, fields }) {
    /** @param {string} as @param {Expression} node @param {string} text @returns {Limit} */
    const limit = (as, node, text) => {
      const value = this.evaluate(node, file);
      if (Number.isNaN(value))
        throw new Error(`${as} in ${file} cannot be computed without running it`);
      if (text === '')
        throw new Error(
          `${as} in ${file} is a limit and needs a description: a /** */ comment of its own`,
        );
      const printed = formatted(as, text, value);
      return { name: as, value: printed, what: withoutUnit(text, printed), file };
    };
    if (init.type !== 'ObjectExpression') return [limit(name, init, what)];
    const described = fields.get(interfaceName ?? '');
    return init.properties.flatMap((property) =>
      property.type === 'Property' && property.key.type === 'Identifier'
        ? [
            limit(
              `${name}.${property.key.name}`,
              property.value,
              described?.get(property.key.name) ?? '',
            ),
          ]
        : [],
    );
  }
}

/** @param {{ file: string, code: string }[]} files @param {Record<string, readonly string[]>} groups @returns {Record<string, Limit[]>} */
export function limitsIn(files, groups) {
  const constants = new Constants(files.map(({ file, code }) => readSource(file, code)));
  return Object.fromEntries(
    Object.entries(groups).map(([group, names]) => [
      group,
      names.flatMap((name) => constants.limits(constants.find(name))),
    ]),
  );
}

/** The limits of this repository, by group. */
export function limits() {
  const files = globSync(['server/**/*.ts', 'shared/**/*.ts'], {
    cwd: at('.'),
    exclude: ['**/*.test.ts', '**/test/**', 'server/dev/**', '**/node_modules/**'],
  });
  return limitsIn(
    files.sort().map((file) => ({ file, code: readFileSync(at(file), 'utf8') })),
    GROUPS,
  );
}
