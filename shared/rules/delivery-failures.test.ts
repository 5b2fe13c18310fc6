import { expect, it } from 'vitest';
import { failureSentence } from './delivery-failures.ts';

it.each([
  'timeout',
  'stopped',
  'private',
  'notAllowed',
  'unknownHost',
  'restored',
  'unreachable',
  'tls',
  'reset',
  'tooLarge',
  'unreadable',
])('the stored failure %j has a sentence', (failure) => {
  expect(failureSentence(failure)).toEqual({ key: `admin.notifications.failure.${failure}`, params: {} });
});

it('a stored HTTP status has a sentence with the status', () => {
  expect(failureSentence('HTTP 503')).toEqual({ key: 'admin.notifications.failure.status', params: { status: '503' } });
});

it.each(['HTTP 50', 'HTTP 5030', 'HTTP ', 'an HTTP 503', 'HTTP 503 again', 'ECONNRESET', ''])(
  'the message %j is shown as it is',
  (message) => {
    expect(failureSentence(message)).toBeNull();
  },
);
