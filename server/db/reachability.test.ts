import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createReachability } from './postgres.ts';

function loggedReachability() {
  const lines: string[] = [];
  const write = (line: string): void => {
    const { use, msg } = JSON.parse(line);
    lines.push(`${use}: ${msg}`);
  };
  return { lines, reach: createReachability(pino({}, { write })) };
}

describe('whether the database is reached', () => {
  it('is logged once per change and pool, even if the other pool keeps answering', () => {
    const { lines, reach } = loggedReachability();
    const reading = reach('reading');
    const writing = reach('writing');
    for (let n = 0; n < 100; n += 1) {
      writing.away(new Error('no answer'));
      reading.answered();
    }
    expect(lines).toEqual(['writing: the database does not answer']);
    for (let n = 0; n < 100; n += 1) writing.answered();
    expect(lines.slice(1)).toEqual(['writing: the database answers again']);
  });

  it('is distrusted by all of them together', () => {
    const { reach } = loggedReachability();
    const reading = reach('reading');
    const writing = reach('writing');
    writing.distrust();
    expect([reading.era(), writing.era()]).toEqual([1, 1]);
  });
});
