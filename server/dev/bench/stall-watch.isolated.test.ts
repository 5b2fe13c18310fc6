import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from './program.ts';
import { STALL_WATCH, watched } from './subject.ts';

const HELD_MS = 300;
/** Holds its event loop for as long with each request, before or after it answers. */
const holding = (when: 'before' | 'after'): string => `
  const hold = () => { const since = performance.now(); while (performance.now() - since < ${HELD_MS}); };
  const server = require('node:http').createServer((_req, res) => {
    if ('${when}' === 'before') hold();
    res.end('held');
    if ('${when}' === 'after') hold();
  });
  server.listen(0, '127.0.0.1', () => console.log('ready at http://127.0.0.1:' + server.address().port));
`;

test.each(['before', 'after'] as const)(
  'blocking the event loop %s the answer is recorded',
  async (when) => {
    const subject = watched(
      await startProgram({ args: ['--import', STALL_WATCH, '--eval', holding(when)] }),
    );
    onTestFinished(subject.stop);
    const fetchOnce = () => fetch(subject.url);
    expect(await subject.longestStall(fetchOnce)).toBeGreaterThan(HELD_MS * 0.9);
    expect(await subject.longestStall(fetchOnce)).toBeGreaterThan(HELD_MS * 0.9);
  },
);
