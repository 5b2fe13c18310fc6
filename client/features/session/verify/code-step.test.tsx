import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { writeCookie } from '../../../lib/cookies.ts';
import { pendingVerifications } from '../../../state/pending-verifications.ts';
import { ok } from './test/fake-server.ts';
import {
  address,
  alertText,
  CHECK,
  CODE,
  GENERATE,
  has,
  keep,
  NAME,
  nameField,
  pass,
  pending,
  press,
  show,
  startAtNoon,
} from './test/show-verify.tsx';

const PAGE = `/verify/${NAME}`;
const names = (): string[] => pendingVerifications().map((each) => each.characterName);

describe('the code in view', () => {
  test('includes the steps to the comment, and is kept after a reload', async () => {
    startAtNoon();
    keep();
    await show(PAGE);
    expect(has(CODE)).toBe(true);
    expect(screen.getAllByRole('heading', { level: 3 }).map((step) => step.textContent)).toEqual([
      "Open your account on the game's website",
      `Edit ${NAME}`,
      'Put the code in the comment',
    ]);
    expect(
      screen.getByRole('link', { name: "See the character's public page" }).getAttribute('href'),
    ).toContain('name=Riley+Ashdown');
  });

  test('is copied, which is confirmed for two seconds', async () => {
    startAtNoon();
    const copied: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (text: string) => void copied.push(text) },
    });
    keep();
    await show(PAGE);
    await press('Copy code');
    expect(copied).toEqual([CODE]);
    await pass(1_999);
    expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy();
    await pass(1);
    expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy();
  });

  test.each([
    ['2026-11-22T11:59:59.000Z', 'Expires in 24 hours'],
    ['2026-11-21T14:10:00.000Z', 'Expires in 3 hours'],
    ['2026-11-21T13:00:30.000Z', 'Expires in 1 hour'],
    ['2026-11-21T12:59:30.000Z', 'Expires in 60 minutes'],
    ['2026-11-21T12:00:40.000Z', 'Expires in 1 minute'],
  ])('that ends at %s says "%s"', async (expiresAt, sentence) => {
    startAtNoon();
    keep({ expiresAt });
    await show(PAGE);
    expect(has(sentence)).toBe(true);
  });

  test('expires while it is looked at', async () => {
    startAtNoon();
    keep({ expiresAt: '2026-11-21T12:01:30.000Z' });
    await show(PAGE);
    await pass(60_000);
    await pass(29_999);
    expect(has('Expires in 1 minute')).toBe(true);
    await pass(1);
    expect(alertText()).toBe('Verification code expired. Please generate a new code.');
    expect(screen.queryByRole('button', { name: 'Start Verification Check' })).toBeNull();
  });

  test('is deleted by "Delete & Start Over" after a question, and the name step returns', async () => {
    startAtNoon();
    keep();
    await show(PAGE);
    await press('Delete & Start Over');
    expect(names()).toEqual([NAME]);
    const dialog = within(screen.getByRole('alertdialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await pass(0);
    expect(has(CODE)).toBe(true);
    await press('Delete & Start Over');
    fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete & Start Over' }),
    );
    await pass(0);
    expect(names()).toEqual([]);
    expect(address()).toBe('/verify');
    expect(nameField()).toHaveProperty('value', '');
  });

  test('stays pending when another character is chosen', async () => {
    startAtNoon();
    keep();
    await show(PAGE);
    fireEvent.click(screen.getByRole('link', { name: 'Verify another character' }));
    await pass(0);
    expect(address()).toBe('/verify');
    expect(nameField()).toBeTruthy();
    expect(screen.getByRole('link', { name: `Continue with ${NAME}` })).toBeTruthy();
  });
});

describe('the pending verifications', () => {
  test('are listed, and each can be continued', async () => {
    startAtNoon();
    keep();
    keep({ characterName: 'Sable Quinn', code: 'CLAIM-9XK2M7QB' });
    await show('/verify');
    const rows =
      screen
        .getByRole('heading', { name: 'Pending verifications' })
        .parentElement?.querySelectorAll('li') ?? [];
    expect([...rows].map((row) => row.querySelector('p')?.textContent)).toEqual([
      NAME,
      'Sable Quinn',
    ]);
    fireEvent.click(screen.getByRole('link', { name: 'Continue with Sable Quinn' }));
    await pass(0);
    expect(address()).toBe('/verify/Sable Quinn');
    expect(screen.getByRole('heading', { name: 'Code for Sable Quinn' })).toBe(
      document.activeElement,
    );
    expect(screen.queryByRole('link', { name: 'Continue with Sable Quinn' })).toBeNull();
    expect(screen.getByRole('link', { name: `Continue with ${NAME}` })).toBeTruthy();
  });

  test('are deleted one by one, after a question', async () => {
    startAtNoon();
    keep();
    keep({ characterName: 'Sable Quinn', code: 'CLAIM-9XK2M7QB' });
    await show('/verify');
    await press('Delete the code of Sable Quinn');
    expect(screen.getByRole('alertdialog').textContent).toContain(
      'Delete the code of Sable Quinn?This browser forgets CLAIM-9XK2M7QB.',
    );
    await press('Delete code');
    expect(names()).toEqual([NAME]);
  });

  test('that have expired say so, and are replaced by a new code', async () => {
    const server = startAtNoon();
    keep({ code: 'CLAIM-TOOOLD22', expiresAt: '2026-11-20T12:00:00.000Z' });
    await show('/verify');
    expect(has('expired')).toBe(true);
    await press(`Generate a new code for ${NAME}`);
    expect(server.made(GENERATE)[0]?.body).toEqual({ character_name: NAME });
    expect(address()).toBe(PAGE);
    expect(has(CODE)).toBe(true);
  });

  test('of other tabs appear when this one is in view again', async () => {
    startAtNoon();
    await show('/verify');
    expect(has('Pending verifications')).toBe(false);
    const kept = {
      characterName: 'Old Bram',
      code: CODE,
      expiresAt: '2026-11-22T12:00:00.000Z',
      verification_token: 'T',
    };
    writeCookie('verification_old_bram', JSON.stringify(kept), 1);
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(0);
    expect(screen.getByRole('link', { name: 'Continue with Old Bram' })).toBeTruthy();
  });
});

describe('where an admin verifies by hand', () => {
  test('the page explains it, and its code can be sent to an admin', async () => {
    startAtNoon({ character_check: 'manual' });
    keep();
    await show('/verify');
    expect(
      has('On this server, a guild admin verifies characters and hands out access keys.'),
    ).toBe(true);
    expect(has('How to get your key')).toBe(true);
    fireEvent.click(screen.getByRole('link', { name: `Continue with ${NAME}` }));
    await pass(0);
    expect(
      has(
        `Tell them your character's exact name, ${NAME}, and the code ${CODE}. They'll give you its key.`,
      ),
    ).toBe(true);
    expect(has('Put the code in the comment')).toBe(false);
  });

  test('the check waits for the decision, which leads to the login', async () => {
    const server = startAtNoon({ character_check: 'manual' }).on(
      CHECK,
      pending({ reason: 'verification.manual' }),
    );
    keep();
    await show(PAGE);
    await press('Start Verification Check');
    expect(has("An admin verifies characters here. Tell them your character's name.")).toBe(true);
    server.on(CHECK, ok({ verified: true, characterName: NAME }));
    await pass(5_000);
    expect(
      has('An admin verified this character. Ask them for its access key and sign in with it.'),
    ).toBe(true);
    expect(screen.getByRole('link', { name: 'Sign in with an access key' })).toBeTruthy();
    expect(names()).toEqual([]);
  });
});
