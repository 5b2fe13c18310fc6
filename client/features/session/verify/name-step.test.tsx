import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { pendingVerifications } from '../../../state/pending-verifications.ts';
import { addProfile, useSession } from '../../../state/session-store.ts';
import { bare, ok, refused } from './test/fake-server.ts';
import {
  address,
  alertText,
  CODE,
  GENERATE,
  has,
  keep,
  NAME,
  nameField,
  pass,
  press,
  profileOf,
  show,
  startAtNoon,
  TOKEN,
  type,
} from './test/show-verify.tsx';

const PRE_CHECK = `GET /check-character-verification/${encodeURIComponent(NAME)}`;

describe('the settings', () => {
  test('say whose members can verify', async () => {
    startAtNoon({ guild_name: 'Night Watch' });
    await show('/verify');
    expect(has('Only members of Night Watch can verify a character here.')).toBe(true);
  });

  test('without a guild name none is mentioned', async () => {
    startAtNoon();
    await show('/verify');
    expect(has(/Only members of/)).toBe(false);
  });

  test('that cannot be read are requested again', async () => {
    const server = startAtNoon().on('GET /config', 'network fails');
    await show('/verify');
    expect(alertText()).toContain('Network error. Please check your connection.');
    server.on('GET /config', bare({ character_check: 'tibiadata', guild_name: null }));
    await press('Try again');
    expect(nameField()).toBeTruthy();
  });
});

describe('the pre-check of a name (section 4)', () => {
  test('waits for more than two characters and for half a second without typing', async () => {
    const server = startAtNoon().on(
      'GET /check-character-verification/Ril',
      bare({ isVerified: false }),
    );
    await show('/verify');
    type('Ri');
    await pass(2_000);
    expect(server.sent.map(({ call }) => call)).toEqual(['GET /config']);
    type('Ril');
    await pass(499);
    type(NAME);
    await pass(499);
    expect(server.sent).toHaveLength(1);
    await pass(1);
    expect(server.sent.slice(1).map(({ call }) => call)).toEqual([PRE_CHECK]);
  });

  test('of a character that is signed in here says so, and leads to its claims after two seconds', async () => {
    startAtNoon().on(PRE_CHECK, bare({ isVerified: true }));
    addProfile(profileOf(NAME));
    addProfile(profileOf('Old Bram'));
    await show('/verify');
    type(NAME.toLowerCase());
    await pass(0);
    type(NAME);
    await pass(500);
    expect(has('This browser has its key. Opening the claim form…')).toBe(true);
    await pass(1_999);
    expect(address()).toBe('/verify');
    await pass(1);
    expect(address()).toBe('/input');
    expect(useSession.getState().current?.characterName).toBe(NAME);
  });

  test('does not leave another name that is typed meanwhile', async () => {
    startAtNoon().on(PRE_CHECK, bare({ isVerified: true }));
    addProfile(profileOf(NAME));
    await show('/verify');
    type(NAME);
    await pass(1_500);
    type('Ri');
    await pass(5_000);
    expect(address()).toBe('/verify');
  });

  test.each([
    ['the address leads to the page before it', `/verify/${NAME}`, '/'],
    ['a typed name leads to its form', '/verify', '/verify'],
  ])('after that, Back from the claims of %s', async (_, path, back) => {
    startAtNoon().on(PRE_CHECK, bare({ isVerified: true }));
    addProfile(profileOf(NAME));
    await show(path);
    if (path === '/verify') type(NAME);
    await pass(500);
    await pass(2_000);
    expect(address()).toBe('/input');
    await press('Back');
    expect(address()).toBe(back);
    await pass(3_000);
    expect(address()).toBe(back);
  });

  test('of a character verified elsewhere offers its key, and to verify again', async () => {
    const server = startAtNoon().on(PRE_CHECK, bare({ isVerified: true }));
    await show('/verify');
    type(NAME);
    await pass(500);
    expect(has(`${NAME} is already verified.`)).toBe(true);
    const [login] = screen.getAllByRole('link', { name: 'Sign in with an access key' });
    expect(login?.getAttribute('href')).toBe('/login?type=access-key');
    await pass(10_000);
    await press('Verify again');
    expect(server.made(GENERATE)).toHaveLength(1);
    expect(has(CODE)).toBe(true);
  });

  test('waits for the saved keys to be checked: until then the session is unknown', async () => {
    startAtNoon().on(PRE_CHECK, bare({ isVerified: true }));
    useSession.setState({ status: 'checking' });
    await show('/verify');
    type(NAME);
    await pass(600);
    expect(has(`${NAME} is already verified.`)).toBe(false);
  });

  test('that fails is not worth a word', async () => {
    startAtNoon().on(PRE_CHECK, 'network fails');
    await show('/verify');
    type(NAME);
    await pass(500);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('a code', () => {
  test('uses the name as the game spells it, stores it, and shows it at its own address', async () => {
    const server = startAtNoon();
    await show('/verify');
    type('  Cass’  O’Brien ');
    await press('Generate code');
    expect(server.made(GENERATE)[0]?.body).toEqual({ character_name: "Cass' O'Brien" });
    expect(address()).toBe("/verify/Cass' O'Brien");
    expect(pendingVerifications()).toEqual([
      {
        characterName: "Cass' O'Brien",
        code: CODE,
        expiresAt: '2026-11-22T12:00:00.000Z',
        verification_token: TOKEN,
      },
    ]);
    expect(has('Expires in 24 hours')).toBe(true);
  });

  test.each([
    ['riley of ashdown', 'Riley of Ashdown'],
    ['RILEY ASHDOWN', 'Riley Ashdown'],
    ['Riley ashdown', 'Riley ashdown'],
  ])('typed in one case is spelled as the game most likely does: %s', async (typed, spelled) => {
    const server = startAtNoon();
    await show('/verify');
    type(typed);
    await press('Generate code');
    expect(server.made(GENERATE)[0]?.body).toEqual({ character_name: spelled });
    expect(has(`Code for ${spelled}`)).toBe(true);
  });

  test('needs a name', async () => {
    const server = startAtNoon();
    await show('/verify');
    type('   ');
    await press('Generate code');
    expect(alertText()).toBe('Character name is required');
    expect(server.made(GENERATE)).toEqual([]);
  });

  test.each([
    [
      'a name that is none',
      refused(400, 'character.nameInvalid'),
      'This is not a valid character name.',
    ],
    [
      'a banned character',
      refused(403, 'session.banned'),
      'This character is banned. Please contact an admin.',
    ],
    [
      'a failure without a sentence',
      refused(500, 'server.failed'),
      'Failed to generate verification code',
    ],
    [
      'a network that fails',
      'network fails' as const,
      'Network error. Please check your connection.',
    ],
  ])('is refused for %s, and the name stays', async (_what, answer, sentence) => {
    startAtNoon().on(GENERATE, answer);
    await show('/verify');
    type(NAME);
    await press('Generate code');
    expect(alertText()).toBe(sentence);
    expect(nameField()).toHaveProperty('value', NAME);
    expect(pendingVerifications()).toEqual([]);
    type('Riley Ash');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('continues with a name that already waits: another would take its place', async () => {
    const server = startAtNoon();
    keep({ code: 'CLAIM-INCOMMENT' });
    await show('/verify');
    type(NAME.toUpperCase());
    await press('Generate code');
    expect(server.made(GENERATE)).toEqual([]);
    expect(has('CLAIM-INCOMMENT')).toBe(true);
  });

  test('that has expired is replaced', async () => {
    const server = startAtNoon();
    keep({ code: 'CLAIM-TOOOLD22', expiresAt: '2026-11-21T11:59:59.000Z' });
    await show('/verify');
    type(NAME);
    await press('Generate code');
    expect(server.made(GENERATE)).toHaveLength(1);
    expect(has(CODE)).toBe(true);
    expect(pendingVerifications()).toHaveLength(1);
  });
});

test('the address prefills the name', async () => {
  startAtNoon();
  await show('/verify/Riley%20Ashdown');
  expect(nameField()).toHaveProperty('value', NAME);
});

describe('an answer without data', () => {
  test('makes a test-mode code, valid 24 hours, that says so and cannot be checked', async () => {
    const server = startAtNoon().on(GENERATE, ok(undefined, 201));
    await show('/verify');
    type(NAME);
    await press('Generate code');
    expect(has(/^TEST-[2-9A-Z]{8}$/)).toBe(true);
    expect(has('Expires in 24 hours')).toBe(true);
    expect(alertText()).toContain('Test mode');
    expect(alertText()).toContain("can't verify a character");
    expect(screen.queryByRole('button', { name: 'Start Verification Check' })).toBeNull();
    expect(pendingVerifications()).toMatchObject([
      { expiresAt: '2026-11-22T12:00:00.000Z', verification_token: null },
    ]);
    await pass(60_000);
    expect(server.made('POST /check-verification')).toEqual([]);
  });

  test('gives way to a real code as soon as the server sends one', async () => {
    startAtNoon();
    keep({ code: 'TEST-22223333', verification_token: null });
    await show(`/verify/${NAME}`);
    await press('Generate a new code');
    expect(has(CODE)).toBe(true);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
