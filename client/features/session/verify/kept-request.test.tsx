import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { keepRequest } from '../../../lib/claim-request.ts';
import { addProfile } from '../../../state/session-store.ts';
import { bare, ok, refused } from './test/fake-server.ts';
import {
  address,
  CHECK,
  found,
  handedOn,
  keep,
  NAME,
  pass,
  press,
  profileOf,
  show,
  startAtNoon,
  type,
} from './test/show-verify.tsx';

/** A visitor's selection on the board, before signing in. */
const CHOICE = '?respawn=5&date=2026-11-22&hour=14';
const request = keepRequest(CHOICE);
const PAGE = `/verify/${NAME}`;
const LOGIN = '/login?type=access-key';

async function follow(name: string | RegExp): Promise<void> {
  const [link] = screen.getAllByRole('link', { name });
  if (!link) throw new Error(`no link ${name}`);
  fireEvent.click(link);
  await pass(0);
}

test('from the name to the key: the claim form keeps spot, date and hour of the selection', async () => {
  startAtNoon().on(CHECK, found);
  await show('/verify', request);
  type(NAME);
  await press('Generate code');
  await press('Start Verification Check');
  await follow('Submit Claim');
  expect(address()).toBe(`/submit-claims${CHOICE}`);
});

test('a character that is signed in here is led to the claims with it', async () => {
  startAtNoon().on(
    `GET /check-character-verification/${encodeURIComponent(NAME)}`,
    bare({ isVerified: true }),
  );
  addProfile(profileOf(NAME));
  await show('/verify', request);
  type(NAME);
  await pass(500);
  await pass(2_000);
  expect(address()).toBe(`/input${CHOICE}`);
});

test('it is kept for another name, for a pending code, and after starting over', async () => {
  startAtNoon();
  keep();
  await show(PAGE, request);
  await follow('Verify another character');
  expect([address(), handedOn()]).toEqual(['/verify', CHOICE]);
  await follow(/^Continue/);
  expect([address(), handedOn()]).toEqual([PAGE, CHOICE]);
  await press('Delete & Start Over');
  fireEvent.click(
    within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete & Start Over' }),
  );
  await pass(0);
  expect([address(), handedOn()]).toEqual(['/verify', CHOICE]);
});

test('is kept for a new code of a name whose code has expired', async () => {
  startAtNoon();
  keep({ expiresAt: '2026-11-21T11:59:59.000Z' });
  await show('/verify', request);
  await press(/^Generate a new code/);
  expect([address(), handedOn()]).toEqual([PAGE, CHOICE]);
});

test('a code that arrives after the person left the page does not lead them back', async () => {
  startAtNoon();
  keep({ expiresAt: '2026-11-21T11:59:59.000Z' });
  await show('/verify', request);
  fireEvent.click(screen.getByRole('button', { name: /^Generate a new code/ }));
  await follow('Sign in with an access key');
  await pass(100);
  expect(address()).toBe(LOGIN);
});

test('is kept for a character’s new name', async () => {
  startAtNoon().on(
    CHECK,
    refused(409, 'character.renamed', { character_name: NAME, new_name: 'Riley of Venore' }),
  );
  keep();
  await show(PAGE, request);
  await press('Start Verification Check');
  await follow('Continue as Riley of Venore');
  expect([address(), handedOn()]).toEqual(['/verify/Riley of Venore', CHOICE]);
});

test('it is kept on the way to the login', async () => {
  startAtNoon();
  await show('/verify', request);
  await follow('Sign in with an access key');
  expect([address(), handedOn()]).toEqual([LOGIN, CHOICE]);
});

test('also for a character that was verified elsewhere', async () => {
  startAtNoon().on(
    `GET /check-character-verification/${encodeURIComponent(NAME)}`,
    bare({ isVerified: true }),
  );
  await show('/verify', request);
  type(NAME);
  await pass(500);
  await follow('Sign in with an access key');
  expect([address(), handedOn()]).toEqual([LOGIN, CHOICE]);
});

test.each([
  ['Sign in with an access key', LOGIN],
  ['Verify another character', '/verify'],
])('verified without a key for this browser, it is kept: %s', async (link, next) => {
  startAtNoon().on(CHECK, ok({ verified: true, characterName: NAME }));
  keep();
  await show(PAGE, request);
  await press('Start Verification Check');
  await follow(link);
  expect([address(), handedOn()]).toEqual([next, CHOICE]);
});
