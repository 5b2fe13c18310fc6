/**
 * Prints the failures once more at the end: between the runners' own reports and the totals are hundreds of lines of
 * the other half, and many readers only see the end of a log.
 */

import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../../setup/command.mjs';

/**
 * @typedef {{name: string, message: string}} Failure
 * @typedef {{status: string, fullName: string, failureMessages?: string[]}} VitestCase
 * @typedef {{testResults?: {name: string, status: string, message: string, assertionResults: VitestCase[]}[]}} VitestReport
 * @typedef {{message?: string, stack?: string}} PlaywrightError
 * @typedef {{title: string, file: string, line: number, ok: boolean, tests: {results: {status: string, errors?: PlaywrightError[]}[]}[]}} Spec
 * @typedef {{title: string, file: string, specs?: Spec[], suites?: Suite[]}} Suite
 * @typedef {{suites?: Suite[], errors?: PlaywrightError[]}} PlaywrightReport
 */

/**
 * The maximum number of tests, lines of each, and characters of a line: a failing run must not print everything twice, nor
 * the whole world of a property.
 */
const TESTS = 20;
const LINES = 16;
const CHARACTERS = 400;

/** @param {VitestReport | undefined} report @returns {Failure[]} */
export function vitestFailures(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that does not load has no test that failed.
    if (failed.length === 0) return status === 'failed' ? [{ name: file, message }] : [];
    return failed.map((test) => ({
      name: `${file} › ${test.fullName}`,
      message: (test.failureMessages ?? []).join('\n'),
    }));
  });
}

/** @param {PlaywrightReport | undefined} report @returns {Failure[]} */
export function playwrightFailures(report) {
  return [
    ...(report?.errors ?? []).map((error) => ({ name: 'client/e2e', message: saidBy(error) })),
    ...(report?.suites ?? []).flatMap((suite) => ofSuite(suite, [])),
  ];
}

/** Nothing for none. @param {Failure[]} failures @returns {string} */
export function summaryOf(failures) {
  if (failures.length === 0) return '';
  const more = failures.length > TESTS ? [`… and ${failures.length - TESTS} more`] : [];
  return ['What failed:', ...failures.slice(0, TESTS).map(paragraph), ...more, ''].join('\n');
}

/** @param {Suite} suite @param {string[]} above The titles of the groups that it is in. @returns {Failure[]} */
function ofSuite({ title, file, specs = [], suites = [] }, above) {
  // The outermost is the file's own.
  const groups = title === file ? above : [...above, title];
  const own = specs.filter((spec) => !spec.ok).map((spec) => ofSpec(spec, groups));
  return [...own, ...suites.flatMap((inner) => ofSuite(inner, groups))];
}

/** @param {Spec} spec @param {string[]} groups @returns {Failure} */
function ofSpec({ title, file, line, tests }, groups) {
  const errors = tests.flatMap((test) => test.results.flatMap((result) => result.errors ?? []));
  return {
    name: [`client/e2e/${file}:${line}`, ...groups, title].join(' › '),
    message: errors.map(saidBy).join('\n'),
  };
}

/** @param {PlaywrightError} error */
const saidBy = (error) => error.stack ?? error.message ?? '';

/** @param {Failure} failure */
function paragraph({ name, message }) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(
      (line) =>
        line.trim() !== '' && !line.includes('node_modules') && !line.includes('<anonymous>'),
    );
  return [
    `  ${name}`,
    ...lines.slice(0, LINES).map((line) => `    ${short(line.replace(`${root}/`, ''))}`),
  ].join('\n');
}

/** @param {string} line */
const short = (line) => (line.length > CHARACTERS ? `${line.slice(0, CHARACTERS)}…` : line);
