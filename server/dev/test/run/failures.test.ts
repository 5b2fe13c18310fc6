import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../setup/command.mjs';
import { playwrightFailures, summaryOf, vitestFailures } from './failures.mjs';
import { read } from './report.mjs';

const passed = { status: 'passed', fullName: 'a rule holds', failureMessages: [] };

describe('failures are printed once more at the end', () => {
  it('a test by its file and name, with its message and place, without colours and frames of packages', () => {
    const message = `AssertionError: expected \u001b[31m1\u001b[39m to be 2\n    at ${root}/server/a.test.ts:7:3\n    at file:///x/node_modules/vitest/dist/index.js:1:1`;
    const report = {
      testResults: [
        {
          name: path.join(root, 'server/a.test.ts'),
          status: 'failed',
          message: '',
          assertionResults: [
            passed,
            { status: 'failed', fullName: 'a sum', failureMessages: [message] },
          ],
        },
        {
          name: path.join(root, 'server/b.test.ts'),
          status: 'passed',
          message: '',
          assertionResults: [passed],
        },
      ],
    };
    expect(summaryOf(vitestFailures(report))).toBe(
      [
        'What failed:',
        '  server/a.test.ts › a sum',
        '    AssertionError: expected 1 to be 2',
        '        at server/a.test.ts:7:3',
        '',
      ].join('\n'),
    );
  });

  it('a file that does not load, which has no test that failed', () => {
    const report = {
      testResults: [
        {
          name: path.join(root, 'server/a.test.ts'),
          status: 'failed',
          message: 'SyntaxError: no',
          assertionResults: [],
        },
      ],
    };
    expect(vitestFailures(report)).toEqual([
      { name: 'server/a.test.ts', message: 'SyntaxError: no' },
    ]);
  });

  it('a browser test by file, line, groups and title; passed ones are left out', () => {
    const spec = (title: string, ok: boolean, errors: object[]) => ({
      title,
      file: 'a.spec.ts',
      line: 4,
      ok,
      tests: [{ results: [{ status: 'x', errors }] }],
    });
    const inner = {
      title: 'a group',
      file: 'a.spec.ts',
      specs: [spec('breaks', false, [{ message: 'Timed out' }]), spec('works', true, [])],
    };
    const report = {
      suites: [{ title: 'a.spec.ts', file: 'a.spec.ts', suites: [inner] }],
      errors: [{ message: 'No server' }],
    };
    expect(playwrightFailures(report)).toEqual([
      { name: 'client/e2e', message: 'No server' },
      { name: 'client/e2e/a.spec.ts:4 › a group › breaks', message: 'Timed out' },
    ]);
  });

  it('of a long line the beginning', () => {
    expect(summaryOf([{ name: 'a property', message: 'x'.repeat(500) }]).split('\n')[2]).toBe(
      `    ${'x'.repeat(400)}…`,
    );
  });

  it('of many the first twenty, of each the first sixteen lines; of none, or without a report, nothing', () => {
    const lines = summaryOf(
      Array.from({ length: 30 }, (_, n) => ({ name: `${n}`, message: 'a line\n'.repeat(100) })),
    ).split('\n');
    expect(lines).toHaveLength(1 + 20 * 17 + 2);
    expect(lines.at(-2)).toBe('… and 10 more');
    expect(summaryOf([])).toBe('');
    expect(vitestFailures(read('/no/such/report.json'))).toEqual([]);
    expect(playwrightFailures(read('/no/such/report.json'))).toEqual([]);
  });
});
