/** Counts what ran, from the JSON reports of both test runners. */

/**
 * @typedef {{passed: number, failed: number, skipped: number}} Totals
 * @typedef {{numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number}} VitestReport
 * @typedef {{stats: {expected: number, unexpected: number, flaky: number, skipped: number}}} PlaywrightReport
 */

/** @param {VitestReport | undefined} report @param {number} exitCode @returns {Totals} */
export function vitestTotals(report, exitCode) {
  return complete(exitCode, {
    passed: report?.numPassedTests ?? 0,
    failed: report?.numFailedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  });
}

/** @param {PlaywrightReport | undefined} report @param {number} exitCode @returns {Totals} */
export function playwrightTotals(report, exitCode) {
  return complete(exitCode, {
    // A flaky test passed when tried again.
    passed: (report?.stats.expected ?? 0) + (report?.stats.flaky ?? 0),
    failed: report?.stats.unexpected ?? 0,
    skipped: report?.stats.skipped ?? 0,
  });
}

/** @param {Totals[]} halves @returns {Totals} */
export function sum(halves) {
  return halves.reduce(
    (all, half) => ({
      passed: all.passed + half.passed,
      failed: all.failed + half.failed,
      skipped: all.skipped + half.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** @param {Totals} totals */
export function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * A run that fails without a failed test (a file that does not load, a server that does not start, no
 * report at all) counts as one failure: a failing run must not print "0 failed".
 * @param {number} exitCode
 * @param {Totals} totals
 */
function complete(exitCode, totals) {
  return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}
