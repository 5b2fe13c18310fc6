import { describe, expect, it } from 'vitest';
import { read } from './report.mjs';
import { playwrightTotals, sentence, sum, vitestTotals } from './totals.mjs';

describe('the totals of a test run', () => {
  it('add both runners up, and name what was skipped', () => {
    const unit = vitestTotals(
      { numPassedTests: 7, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 },
      1,
    );
    const browser = playwrightTotals(
      { stats: { expected: 3, unexpected: 0, flaky: 1, skipped: 0 } },
      0,
    );
    expect(sentence(sum([unit, browser]))).toBe('11 passed, 1 failed, 2 skipped');
    expect(sentence(browser)).toBe('4 passed, 0 failed');
  });

  it('never say "0 failed" of a run that failed', () => {
    const noTestFailed = {
      numPassedTests: 7,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
    };
    expect(sentence(vitestTotals(noTestFailed, 1))).toBe('7 passed, 1 failed');
    expect(sentence(playwrightTotals(read('/no/such/report.json'), 1))).toBe('0 passed, 1 failed');
  });
});
