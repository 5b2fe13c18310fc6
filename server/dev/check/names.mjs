/**
 * Refuses words of this project's old dialect in names, file names, comments and test titles, and says the field's term instead. Texts
 * in the code are not searched: sentences are the locale files' subject, codes and columns the specification's.
 */

import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { at, complain } from '../setup/command.mjs';

/** Words that no name may contain, with the standard term. @type {Record<string, string>} */
const IN_NAMES = {
  anew: 'again, or the verb alone',
  anybody: 'the person: member, admin, caller',
  apart: 'in a savepoint, separate',
  aside: 'worker connection',
  bell: 'notification, listener',
  breathe: 'yieldToEventLoop',
  'cut off': 'disconnect',
  deed: 'action (of the activity log), command, change',
  deeds: 'actions, commands, changes',
  doer: 'actor',
  doorkeeper: 'authenticate, requireRole',
  everybody: 'the persons: members, admins, all',
  'in turns': 'in batches',
  'let be': 'back off, skip',
  'make room': 'evict',
  nobody: 'the person: no member, no admin, none',
  outgoing: 'pending writes, unsent',
  packed: 'compressed, precompressed',
  'put back': 'restore, undo',
  'ready made': 'prepared, precompressed',
  signs: 'characters (of a string)',
  somebody: 'the person: member, admin, another',
  'take back': 'undo',
  'taken back': 'undone',
  troubled: 'failing, backing off',
  upkeep: 'deadline, expiry',
  waiter: 'waitlist entry, waiting request',
  waiters: 'waitlist entries, waiting requests',
  whichever: 'the thing by its name',
  whoever: 'caller, actor, member',
};

/** Participles that say nothing without their noun; they are refused as a whole name. @type {Record<string, string>} */
const ALONE = {
  added: 'addedClaims, newKeys',
  asked: 'request, query, requestedAt',
  heard: 'subscribedTypes, received, notified',
  said: 'message, response, statement',
  settled: 'expired, resolved, a result',
  shown: 'visible, displayed, the thing shown',
  ticked: 'selected, checked',
  told: 'notified, sent, published, reported',
};

/** Words and phrases that no comment and no test title may contain. @type {Record<string, string>} */
const IN_PROSE = {
  anew: 'again, from scratch',
  breathe: 'yield to the event loop',
  'comes of': 'the result, the outcome',
  deed: 'action, command, change',
  deeds: 'actions, commands, changes',
  doorkeeper: 'authentication',
  'in turns': 'in batches',
  'let be': 'skip, leave, back off',
  nevertheless: 'but, still',
  troubled: 'failing, backing off',
  upkeep: 'deadlines, expiry',
  whichever: 'the thing by its name',
  whoever: 'the caller, actor or member',
};

/** Names that the API fixes, each with its files and the reason. @type {{ name: string, files: RegExp, why: string }[]} */
const ALLOWED = [
  {
    name: 'asked',
    files: /(budget|event-copy|retype)(\.test)?\.ts$/,
    why: 'parameter of the refusals budget.day and budget.event',
  },
  {
    name: 'asked',
    files: /statistics(-\w+)?(\.test)?\.tsx?$/,
    why: "field of the statistics' wanted spots",
  },
  {
    name: 'added',
    files: /(activity-details|import\/\w+)(\.test)?\.ts$/,
    why: 'field of stored activity details of imports',
  },
];

/** @param {string} name @returns {string} its words in lower case, between spaces */
const wordsOf = (name) =>
  ` ${name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase()} `;

/** @param {string} name @returns {[word: string, hint: string] | undefined} */
function faultInName(name) {
  const words = wordsOf(name);
  if (words.startsWith(' most ') && /^[A-Z\d_]+$/.test(name)) return ['most', 'MAX_…'];
  return [
    ...Object.entries(IN_NAMES).filter(([word]) => words.includes(` ${word} `)),
    ...Object.entries(ALONE).filter(([word]) => words === ` ${word} `),
  ][0];
}

/** @param {string} text @returns {[word: string, hint: string][]} */
const faultsInProse = (text) => {
  const words = wordsOf(text.replace(/`[^`]*`/g, ' '));
  return Object.entries(IN_PROSE).filter(([word]) => words.includes(` ${word} `));
};

/**
 * Names that a file declares: variables, parameters, functions, types, and properties of types, classes and objects.
 * @param {string} file @param {string} code
 */
function declarationsIn(file, code) {
  /** @type {{ name: string, start: number }[]} */
  const names = [];
  /** @type {{ text: string, start: number }[]} */
  const titles = [];
  /** Parameters of sentences: the locale files name them. @type {{ start: number, end: number }[]} */
  const parameters = [];
  /** @param {any} node */
  const add = (node) => {
    if (!node) return;
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier')
      names.push({ name: node.name, start: node.start });
    else if (node.type === 'ObjectPattern')
      for (const each of node.properties) add(each.argument ?? each.value);
    else if (node.type === 'ArrayPattern') for (const each of node.elements) add(each);
    else if (node.type === 'AssignmentPattern') add(node.left);
    else if (node.type === 'RestElement') add(node.argument);
    else if (node.type === 'TSParameterProperty') add(node.parameter);
  };
  /** @param {any} node */
  const addKey = (node) => {
    if (!node.computed) add(node.key);
  };
  /** @param {any} node */
  const addFunction = (node) => {
    add(node.id);
    for (const parameter of node.params) add(parameter);
  };
  /** @param {any} node */
  const addId = (node) => add(node.id);
  const { program, comments } = parseSync(file, code);
  new Visitor({
    VariableDeclarator: addId,
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    ClassDeclaration: addId,
    TSTypeAliasDeclaration: addId,
    TSInterfaceDeclaration: addId,
    TSPropertySignature: addKey,
    TSMethodSignature: addKey,
    PropertyDefinition: addKey,
    MethodDefinition: addKey,
    Property: addKey,
    CatchClause: (node) => add(node.param),
    CallExpression({ callee, arguments: [first, ...others] }) {
      if (callee.type === 'Identifier' && callee.name === 't')
        for (const { start, end } of others) parameters.push({ start, end });
      if (
        /^(it|test|describe)\b/.test(code.slice(callee.start, callee.start + 20)) &&
        first?.type === 'Literal'
      )
        titles.push({ text: String(first.value), start: first.start });
    },
  }).visit(program);
  const own = names.filter(
    ({ start: at }) => !parameters.some(({ start, end }) => at >= start && at < end),
  );
  return {
    names: own,
    prose: [...comments.map(({ value, start }) => ({ text: value, start })), ...titles],
  };
}

/** @param {string} file @param {string} code @returns {string[]} one line a fault: where, the word, and what to write instead */
export function faultsIn(file, code) {
  const { names, prose } = declarationsIn(file, code);
  /** @param {number} start */
  const where = (start) => `${file}:${code.slice(0, start).split('\n').length}`;
  const ofFile = faultInName(file.split('/').at(-1)?.split('.')[0] ?? '');
  const ofNames = names.flatMap(({ name, start }) => {
    const isAllowed = ALLOWED.some((each) => each.name === name && each.files.test(file));
    const fault = isAllowed ? undefined : faultInName(name);
    return fault ? [`${where(start)}: the name ${name} says "${fault[0]}": ${fault[1]}`] : [];
  });
  const ofProse = prose.flatMap(({ text, start }) =>
    faultsInProse(text).map(([word, hint]) => `${where(start)}: the text says "${word}": ${hint}`),
  );
  return [
    ...(ofFile ? [`${file}: the file's name says "${ofFile[0]}": ${ofFile[1]}`] : []),
    ...new Set([...ofNames, ...ofProse]),
  ];
}

/** The faults of this repository. @param {string[]} patterns @returns {string[]} */
function nameFaults(patterns = ['server/**/*.{ts,mjs}', 'shared/**/*.ts', 'client/**/*.{ts,tsx}']) {
  return globSync(patterns, {
    cwd: at('.'),
    exclude: ['**/*.d.ts', 'client/dist/**', 'server/dev/check/names.*'],
  })
    .sort()
    .flatMap((file) => faultsIn(file, readFileSync(at(file), 'utf8')));
}

if (import.meta.main) {
  const [, , ...patterns] = process.argv;
  const found = patterns.length > 0 ? nameFaults(patterns) : nameFaults();
  for (const fault of found) complain(fault);
  process.exitCode = found.length > 0 ? 1 : 0;
}
