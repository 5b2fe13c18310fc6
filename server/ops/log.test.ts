import { expect, it } from 'vitest';
import { createLog } from './log.ts';

it('no line has a secret, from any library, and everything else is unchanged', () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => lines.push(line) }).child({
    part: 'K7QM-2F9A-XW3C',
  });
  const error = Object.assign(
    new Error('duplicate key K7QM-2F9A-XW3C', { cause: new Error('by CLAIM-7KQ2M9XA') }),
    {
      detail: 'Key (key_value)=(K7QM-2F9A-XW3C) "already" exists.',
      parameters: ['hunting', 'k7qm2f9axw3c', 7],
    },
  );
  log.error({ err: error, request_id: '4f2a9c3b7d5e2768' }, 'a write of K7QM2F9AXW3C failed');
  expect(lines).toHaveLength(1);
  const [line = ''] = lines;
  expect(line.endsWith('\n')).toBe(true);
  expect(line).not.toMatch(/K7QM|7KQ2/i);
  expect(JSON.parse(line)).toMatchObject({
    level: 50,
    part: '…',
    request_id: '4f2a9c3b7d5e2768',
    msg: 'a write of … failed',
    err: {
      detail: 'Key (key_value)=(…) "already" exists.',
      parameters: ['hunting', '…', 7],
      stack: expect.stringContaining('log.test.ts'),
    },
  });
});
