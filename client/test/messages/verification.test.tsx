import { vi } from 'vitest';
import { ok, refused } from '../../features/session/verify/test/fake-server.ts';
import {
  CHECK,
  GENERATE,
  keep,
  NAME,
  pass,
  press,
  show,
  startAtNoon,
  type,
} from '../../features/session/verify/test/show-verify.tsx';
import { appears } from './appears.ts';

const TEN_MINUTES = 600_000;

/** Checks a stored code with the given answer of the server, then restores the real clock for `findBy…`. */
async function check(
  answer: Parameters<ReturnType<typeof startAtNoon>['on']>[1] | null,
  ms = 0,
): Promise<void> {
  const mockServer = startAtNoon();
  if (answer) mockServer.on(CHECK, answer);
  keep();
  await show(`/verify/${NAME}`);
  await press('Start Verification Check');
  await pass(ms);
  vi.useRealTimers();
}

appears('verification', {
  'verify.name.failed': async () => {
    startAtNoon().on(GENERATE, refused(500, 'server.failed'));
    await show('/verify');
    type(NAME);
    await press('Generate code');
    vi.useRealTimers();
  },
  'verify.check.timedOut': () => check(null, TEN_MINUTES),
  'verify.check.timedOutOffline': () => check('network fails', TEN_MINUTES),
  'errors.verification.expired': () => check(refused(409, 'verification.expired')),
  'verify.check.failed': () =>
    check(ok({ verified: false, characterName: NAME, reason: 'verification.notFound' })),
});
