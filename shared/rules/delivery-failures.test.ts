import { expect, it } from 'vitest';
import { failureSentence, refusedByDiscord } from './delivery-failures.ts';

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
  expect(failureSentence(failure)).toEqual({
    key: `admin.notifications.failure.${failure}`,
    params: {},
  });
});

it('a stored HTTP status has a sentence with the status', () => {
  expect(failureSentence('HTTP 503')).toEqual({
    key: 'admin.notifications.failure.status',
    params: { status: '503' },
  });
});

it.each(['HTTP 50', 'HTTP 5030', 'HTTP ', 'an HTTP 503', 'HTTP 503 again', 'ECONNRESET', ''])(
  'the message %j is shown as it is',
  (message) => {
    expect(failureSentence(message)).toBeNull();
  },
);

it.each([
  [220_001, 'forum'],
  [50_083, 'thread'],
  [50_006, 'message'],
  [50_035, 'message'],
  [0, 'message'],
])('Discord’s own sentence (%i) is kept, with what to do', (code, what) => {
  const stored = refusedByDiscord({ code, message: `Can’t: "this"\n ${'x'.repeat(500)}` });
  const sentence = expect.stringMatching(/^Can’t: "this" x+$/);
  expect(failureSentence(stored)).toEqual({
    key: `admin.notifications.failure.discord.${what}`,
    params: { code, sentence },
  });
});
