import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readCookies, removeCookie } from '../../../lib/cookies.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { pendingVerifications } from '../../../state/pending-verifications.ts';
import { rememberProfile } from '../../../state/saved-sessions.ts';
import { useSession } from '../../../state/session-store.ts';
import { ok, refused } from './test/fake-server.ts';
import {
  address,
  alertText,
  CHECK,
  CODE,
  found,
  has,
  KEY,
  keep,
  NAME,
  pass,
  pending,
  press,
  profileOf,
  show,
  startAtNoon,
  TOKEN,
} from './test/show-verify.tsx';

const PAGE = `/verify/${NAME}`;
const start = (): Promise<void> => press('Start Verification Check');
const TEN_MINUTES = 600_000;
const MINUTE = 60_000;

async function showChecking(server = startAtNoon()) {
  keep();
  await show(PAGE);
  await start();
  return server;
}
const attempt = (): number =>
  Number(
    screen
      .getByRole('progressbar', { name: 'Progress of the check' })
      .getAttribute('aria-valuenow'),
  );
const isWaiting = (): boolean =>
  screen.queryByRole('button', { name: 'Start Verification Check' }) !== null;

afterEach(() => vi.restoreAllMocks());

describe('the check', () => {
  test('asks with the token of this browser at once and then every five seconds, and shows how far it is', async () => {
    const server = await showChecking();
    expect(server.made(CHECK)).toEqual([
      { call: CHECK, body: { characterName: NAME, verification_token: TOKEN } },
    ]);
    expect(attempt()).toBe(1);
    await pass(4_999);
    expect(server.made(CHECK)).toHaveLength(1);
    await pass(1);
    expect(server.made(CHECK)).toHaveLength(2);
    await pass(50_000);
    expect(attempt()).toBe(12);
    const bar = screen.getByRole('progressbar', { name: 'Progress of the check' });
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual([
      '12',
      '120',
    ]);
    expect(bar.getAttribute('aria-valuetext')).toBe(
      'The check runs for 10 more minutes while this page is in view.',
    );
    await pass(8 * MINUTE);
    expect(has('The check runs for 2 more minutes while this page is in view.')).toBe(true);
  });

  test('pauses while the page is hidden, uses no attempt, and continues at once when visible', async () => {
    const server = await showChecking();
    const turn = (state: DocumentVisibilityState): void => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
    };
    turn('hidden');
    await pass(TEN_MINUTES);
    expect([server.made(CHECK).length, attempt()]).toEqual([1, 1]);
    server.on(CHECK, found);
    turn('visible');
    await pass(0);
    expect(server.made(CHECK)).toHaveLength(2);
    expect(has(KEY)).toBe(true);
  });

  test('that is stopped while the page is hidden sends no more requests', async () => {
    const server = await showChecking();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await pass(5_000);
    await press('Stop');
    vi.restoreAllMocks();
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(MINUTE);
    expect(server.made(CHECK)).toHaveLength(1);
  });

  test('continues every five seconds even if the computer’s clock is set back', async () => {
    const server = startAtNoon();
    server.on(CHECK, () => {
      vi.setSystemTime(Date.now() - 3_600_000);
      return pending({});
    });
    await showChecking(server);
    await pass(5_000);
    expect(server.made(CHECK)).toHaveLength(2);
  });

  test.each([
    [
      'verification.codeNotFound',
      "The code is not in the character's comment yet. The game's data can lag by a few minutes.",
    ],
    [
      'verification.sourceFailed',
      "The game's data can't be read right now. Your code stays valid; we keep trying.",
    ],
  ])('says why it continues: %s', async (reason, sentence) => {
    await showChecking(startAtNoon().on(CHECK, pending({ reason })));
    expect(has(sentence)).toBe(true);
  });

  test('says that other characters are checked first, and when it is next', async () => {
    const waiting = pending({
      reason: 'verification.waiting',
      waitSeconds: 42,
      nextCheckAt: '2026-11-21T12:00:42.000Z',
    });
    const server = await showChecking(startAtNoon().on(CHECK, waiting));
    expect(has('Other characters are checked first. Yours is next in about 42 s.')).toBe(true);
    expect(screen.queryByRole('timer')).toBeNull();
    // A client that stops polling loses its place in the queue.
    await pass(5_000);
    expect(server.made(CHECK)).toHaveLength(2);
  });

  test('continues for a reason that only a newer server knows', async () => {
    const server = await showChecking(
      startAtNoon().on(CHECK, pending({ reason: 'verification.somethingNew' })),
    );
    expect(has("Reading the character's comment…")).toBe(true);
    server.on(CHECK, found);
    await pass(5_000);
    expect(has(KEY)).toBe(true);
  });

  test('says how old the data is, and counts down to the next look', async () => {
    const checkedAt = '2026-11-21T11:58:00.000Z';
    const nextCheckAt = '2026-11-21T12:03:00.000Z';
    await showChecking(startAtNoon().on(CHECK, pending({ checkedAt, nextCheckAt })));
    const time = new Date(checkedAt).toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(has(`Game data from ${time}.`)).toBe(true);
    const timer = screen.getByRole('timer');
    expect(timer.textContent).toBe('Next look in 3:00');
    await pass(1_000);
    expect(timer.textContent).toBe('Next look in 2:59');
    vi.setSystemTime('2026-11-21T12:02:54.000Z');
    await pass(1_000);
    expect(timer.textContent).toBe('Next look in 0:05');
    vi.setSystemTime('2026-11-21T12:02:59.000Z');
    await pass(1_000);
    expect(timer.textContent).toBe('Looking now…');
    expect(has(/every few seconds/)).toBe(false);
  });

  test('counts down to a later look from its full time', async () => {
    const server = await showChecking(
      startAtNoon().on(CHECK, pending({ nextCheckAt: '2026-11-21T12:00:01.000Z' })),
    );
    await pass(1_000);
    expect(screen.getByRole('timer').textContent).toBe('Looking now…');
    vi.setSystemTime('2026-11-21T12:02:00.000Z');
    server.on(CHECK, pending({ nextCheckAt: '2026-11-21T12:05:00.000Z' }));
    await pass(4_000);
    expect(screen.getByRole('timer').textContent).toBe('Next look in 2:56');
  });

  test('says before it starts that the comment is to be saved first', async () => {
    startAtNoon();
    keep();
    await show(PAGE);
    expect(has('Save the comment first')).toBe(true);
    await start();
    expect(has('Save the comment first')).toBe(false);
  });

  test('shows the name as the game spells it once it was looked up', async () => {
    startAtNoon().on(CHECK, pending({ characterName: 'Riley of Ashdown' }));
    keep({ characterName: 'Riley Of Ashdown' });
    await show('/verify/riley of ashdown');
    expect(has('Code for Riley Of Ashdown')).toBe(true);
    await start();
    expect(has('Code for Riley of Ashdown')).toBe(true);
    expect(pendingVerifications().map(({ characterName }) => characterName)).toEqual([
      'Riley of Ashdown',
    ]);
    expect(attempt()).toBe(1);
  });

  test('can be stopped and started again', async () => {
    const server = await showChecking();
    await pass(5_000);
    await press('Stop');
    expect(document.activeElement?.textContent).toBe('Check the code');
    await pass(MINUTE);
    expect(server.made(CHECK)).toHaveLength(2);
    await start();
    expect(attempt()).toBe(1);
  });

  test('continues after a reload, and does not start in another tab', async () => {
    const server = await showChecking();
    await pass(10_000);
    cleanup();
    await pass(MINUTE);
    expect(server.made(CHECK)).toHaveLength(3);
    await show(PAGE);
    expect(attempt()).toBe(3);
    await pass(5_000);
    expect(attempt()).toBe(4);
    cleanup();
    sessionStorage.clear();
    await show(PAGE);
    expect(isWaiting()).toBe(true);
  });
});

describe('success', () => {
  test('stores the session, shows the key with a warning, and leads to claims and board', async () => {
    const server = await showChecking();
    server.on(CHECK, found);
    await pass(5_000);
    expect(screen.getByRole('heading', { name: new RegExp(`^${NAME} is verified`) })).toBe(
      document.activeElement,
    );
    expect(has(KEY)).toBe(true);
    expect(has('Save this key and keep it secret')).toBe(true);
    const hrefs = ['Submit Claim', 'Go to the board'].map((name) =>
      screen.getByRole('link', { name }).getAttribute('href'),
    );
    expect(hrefs).toEqual(['/submit-claims', '/']);
    expect(useSession.getState().current).toEqual({
      characterName: NAME,
      memberType: 'elite',
      accessKey: KEY,
      isVerified: true,
      createdAt: '2026-11-21T12:00:05.000Z',
    });
    expect(readCookies().get('access_key_riley_ashdown')).toContain(KEY);
    expect(pendingVerifications()).toEqual([]);
    await pass(MINUTE);
    expect(server.made(CHECK)).toHaveLength(2);
    expect(has(KEY)).toBe(true);
    expect(address()).toBe(PAGE);
  });

  test('adds a second profile beside the first', async () => {
    const server = startAtNoon().on(CHECK, found);
    const other = profileOf('Old Bram');
    useSession.setState({ profiles: [other], current: other });
    await showChecking(server);
    expect(useSession.getState().profiles.map((profile) => profile.characterName)).toEqual([
      NAME,
      'Old Bram',
    ]);
  });

  test('without a key for this browser offers to log in with the key', async () => {
    await showChecking(startAtNoon().on(CHECK, ok({ verified: true, characterName: NAME })));
    expect(has(/there is no key here. Sign in with the character's key, or verify again/)).toBe(
      true,
    );
    expect(
      screen.getByRole('link', { name: 'Sign in with an access key' }).getAttribute('href'),
    ).toBe('/login?type=access-key');
    expect(useSession.getState().current).toBeNull();
    expect(pendingVerifications()).toEqual([]);
  });

  test('a login in another tab is noticed, if this tab received it before', async () => {
    startAtNoon();
    keep();
    await show(PAGE);
    const profile = { ...profileOf(NAME), accessKey: KEY };
    rememberProfile(profile);
    useSession.setState({ profiles: [profile], current: profile });
    await pass(0);
    removeCookie('verification_riley_ashdown');
    window.dispatchEvent(new Event('focus'));
    await pass(0);
    expect(has(KEY)).toBe(true);
  });

  test('of another tab is noticed when this one is in view again', async () => {
    startAtNoon();
    keep();
    await show(PAGE);
    rememberProfile({ ...profileOf(NAME), accessKey: KEY });
    removeCookie('verification_riley_ashdown');
    window.dispatchEvent(new Event('focus'));
    await pass(0);
    expect(has(KEY)).toBe(true);
    expect(useSession.getState().current?.characterName).toBe(NAME);
  });
});

describe('a code that expires', () => {
  const SENTENCE = 'Verification code expired. Please generate a new code.';

  test('ends the check early, and a new one is a press away', async () => {
    const server = startAtNoon();
    keep({ code: 'CLAIM-SHORTONE', expiresAt: '2026-11-21T12:00:12.000Z' });
    await show(PAGE);
    await start();
    await pass(11_000);
    expect(alertTextOrNull()).toBeNull();
    await pass(1_000);
    expect(alertText()).toBe(SENTENCE);
    expect(server.made(CHECK)).toHaveLength(3);
    expect(screen.queryByRole('progressbar')).toBeNull();
    await press('Generate a new code');
    expect(has(CODE)).toBe(true);
    expect(isWaiting()).toBe(true);
  });

  test('verification on the server ends it', async () => {
    startAtNoon().on(CHECK, refused(409, 'verification.expired'));
    keep({ code: 'CLAIM-OLDERONE' });
    await show(PAGE);
    await start();
    expect(alertText()).toBe(SENTENCE);
    expect(isWaiting()).toBe(false);
    await press('Generate a new code');
    expect(isWaiting()).toBe(true);
  });

  test('is judged by the clock of the server', async () => {
    startAtNoon();
    useServerSaveClock.setState({ ahead_ms: 25 * 60 * MINUTE });
    keep();
    await show(PAGE);
    expect(alertText()).toBe(SENTENCE);
  });
});

describe('a check without success', () => {
  test('times out after ten minutes and 120 attempts, keeps the code, and can be continued', async () => {
    const server = await showChecking();
    await pass(TEN_MINUTES - 1);
    expect(attempt()).toBe(120);
    await pass(1);
    expect(alertText()).toBe(
      'Verification timed out after 10 minutes. Please try again or use an access key.',
    );
    await pass(MINUTE);
    expect(server.made(CHECK)).toHaveLength(120);
    expect(has(CODE)).toBe(true);
    server.on(CHECK, found);
    await start();
    expect(has(KEY)).toBe(true);
  });

  test('that ends in a network failure sends to an admin', async () => {
    await showChecking(startAtNoon().on(CHECK, 'network fails'));
    await pass(TEN_MINUTES);
    expect(alertText()).toBe(
      'Verification timed out after 10 minutes. Please try again or contact an admin.',
    );
  });

  test.each([
    ['a network that fails', 'network fails' as const],
    ['a server that restarts', refused(503, 'server.stopping')],
    ['a failure of the server', refused(500, 'server.failed')],
    ['a portal that answers in its place', { status: 403, body: 'Please sign in to the hotel' }],
  ])('continues through %s', async (_what, answer) => {
    const server = await showChecking(startAtNoon().on(CHECK, answer));
    expect(has("Can't reach the server. We keep trying.")).toBe(true);
    server.on(CHECK, found);
    await pass(5_000);
    expect(has(KEY)).toBe(true);
  });

  test('waits as long as the server says', async () => {
    const server = await showChecking(
      startAtNoon().on(CHECK, refused(429, 'request.tooManyTries', { seconds: 42 })),
    );
    expect(has('Too many attempts. Please wait 42 seconds.')).toBe(true);
    server.on(CHECK, found);
    await pass(41_999);
    expect(server.made(CHECK)).toHaveLength(1);
    await pass(1);
    expect(has(KEY)).toBe(true);
  });

  test.each([
    [403, 'session.banned', {}, 'This character is banned. Please contact an admin.'],
    [403, 'session.keyRevoked', {}, 'This access key has been revoked. Please contact an admin.'],
    [
      403,
      'verification.notInGuild',
      { guild_name: 'Night Watch' },
      'Only members of Night Watch can verify a character here.',
    ],
    [
      403,
      'verification.deletedCharacter',
      {},
      "This character is scheduled for deletion, so it can't be verified.",
    ],
    [404, 'character.notFound', { character_name: NAME }, `There is no character named ${NAME}.`],
    [400, 'character.nameInvalid', {}, 'This is not a valid character name.'],
  ])(
    '%i %s ends it with its sentence, and keeps the code',
    async (status, code, params, sentence) => {
      const server = await showChecking(startAtNoon().on(CHECK, refused(status, code, params)));
      expect(alertText()).toBe(sentence);
      await pass(MINUTE);
      expect(server.made(CHECK)).toHaveLength(1);
      expect(has(CODE)).toBe(true);
      expect(isWaiting()).toBe(true);
    },
  );

  // Section 7: "response data (or the top level) has verified, characterName, memberType, accessKey."
  test.each([
    [
      'in data',
      { data: { verified: true, characterName: NAME, memberType: 'elite', accessKey: KEY } },
    ],
    [
      'at the top level',
      { verified: true, characterName: NAME, memberType: 'elite', accessKey: KEY },
    ],
  ])('gets the key that is %s', async (_where, body) => {
    await showChecking(startAtNoon().on(CHECK, { status: 200, body }));
    expect(has(KEY)).toBe(true);
  });

  // Section 4: "Polling runs every 5 s, at most 120 attempts". Section 7: "the error or message text is used".
  test.each([
    [200, { verified: false, message: 'No code in the comment yet' }],
    [200, { data: { verified: false, error: 'No code in the comment yet' } }],
    [502, { error: 'No code in the comment yet' }],
  ])('continues after another server’s %i %j, with its text', async (status, body) => {
    const server = await showChecking(startAtNoon().on(CHECK, { status, body }));
    expect(has('No code in the comment yet')).toBe(true);
    server.on(CHECK, found);
    await pass(5_000);
    expect(has(KEY)).toBe(true);
  });

  test('ends with another server’s refusal in its words', async () => {
    await showChecking(
      startAtNoon().on(CHECK, { status: 400, body: { message: 'That name is locked' } }),
    );
    expect(alertText()).toBe('That name is locked');
    expect(isWaiting()).toBe(true);
  });

  test('of a character that has another name now leads to that name', async () => {
    const params = { character_name: NAME, new_name: 'Riley of Venore' };
    await showChecking(startAtNoon().on(CHECK, refused(409, 'character.renamed', params)));
    expect(alertText()).toContain(
      `${NAME} is now called Riley of Venore. Generate a code for that name.`,
    );
    expect(
      screen.getByRole('link', { name: 'Continue as Riley of Venore' }).getAttribute('href'),
    ).toBe('/verify/Riley%20of%20Venore');
  });

  test('whose code the server does not know any more has failed, and offers a new one', async () => {
    await showChecking(
      startAtNoon().on(
        CHECK,
        ok({ verified: false, characterName: NAME, reason: 'verification.notFound' }),
      ),
    );
    expect(alertText()).toBe('Verification failed. Please try again or contact an admin.');
    expect(screen.getByRole('button', { name: 'Generate a new code' })).toBeTruthy();
  });
});

const alertTextOrNull = (): string | null => screen.queryByRole('alert')?.textContent ?? null;
