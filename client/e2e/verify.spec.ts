import type { Page } from '@playwright/test';
import { type GameData, serveGameData } from '../../server/members/verification/test/game-data.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { expectNothingSerious } from './axe.ts';
import { test as base, expect, loginWithKey, newPerson } from './fixtures.ts';

const NAME = 'Riley Ashdown';

const test = base.extend<{ game: GameData }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
  game: async ({}, use) => {
    const game = await serveGameData();
    await use(game);
    game.close();
  },
  env: async ({ game }, use) => {
    await use({ CHARACTER_API_URL: game.url, CHARACTER_CHECK_SECONDS: '1' });
  },
});

async function askForCode(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/verify`);
  await page.getByLabel('Character name').fill(NAME);
  await page.getByRole('button', { name: 'Generate code' }).click();
  return (await page.getByText(/^CLAIM-/).textContent()) ?? '';
}
const startCheck = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Start Verification Check' }).click();
const accessKey = /^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/;

/** The messages that the check sent to a page. */
function answersTo(page: Page): Promise<unknown>[] {
  const answers: Promise<unknown>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/check-verification')) answers.push(response.json());
  });
  return answers;
}

test('a visitor verifies a character and sees the board; another visitor polling the same name gets no key; a ban closes the board', async ({
  board,
  game,
  browser,
}) => {
  test.slow();
  game.show({ name: NAME, comment: 'Just a druid.' });
  await board.anActiveEvent();
  const member = await newPerson(browser);
  const stranger = await newPerson(browser);
  const answers = answersTo(stranger);

  // Both ask for a code of the same name, and poll.
  const code = await askForCode(member, board.url);
  await expect(member.getByText('Expires in 24 hours')).toBeVisible();
  await expectNothingSerious(member);
  expect(await askForCode(stranger, board.url)).not.toBe(code);
  for (const page of [member, stranger]) {
    await startCheck(page);
    await expect(page.getByText("The code is not in the character's comment yet.")).toBeVisible();
  }
  await expectNothingSerious(member);

  // After a reload the check resumes and finds the code in the comment.
  await member.reload();
  await expect(member.getByRole('progressbar', { name: 'Progress of the check' })).toBeVisible();
  game.show({ name: NAME, comment: `Just a druid. ${code.toLowerCase()}` });
  await expect(member.getByRole('heading', { name: `${NAME} is verified` })).toBeVisible({
    timeout: 20_000,
  });
  await expect(member.getByText(accessKey)).toBeVisible();
  await expectNothingSerious(member);

  // The stranger polled before and after, and never got the key; a second visitor learns only that the character is verified.
  const before = answers.length;
  await expect.poll(() => answers.length, { timeout: 20_000 }).toBeGreaterThan(before + 1);
  expect(JSON.stringify(await Promise.all(answers))).not.toMatch(/accessKey/);
  await expect(stranger.getByRole('progressbar', { name: 'Progress of the check' })).toBeVisible();
  const visitor = await newPerson(browser);
  await visitor.goto(`${board.url}/verify/${NAME}`);
  await expect(visitor.getByText(`${NAME} is already verified.`)).toBeVisible();

  // The key opens the board, also after a reload.
  await member.getByRole('link', { name: 'Go to the board' }).click();
  await expect(member.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();
  await member.reload();
  await expect(member.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();

  // A ban in another window closes it, with the reason.
  await board.asAdmin('POST', '/admin/ban-character', { character_name: NAME });
  await expect(
    member.getByText('This character is banned. Please contact an admin.'),
  ).toBeVisible();
  await expect(member.getByRole('link', { name: 'Start Character Verification' })).toBeVisible();
  expect((await member.context().cookies()).map(({ name }) => name)).not.toContain(
    'access_key_riley_ashdown',
  );

  // A new code does not help either: the ban is reported.
  await member.goto(`${board.url}/verify/${NAME}`);
  await member.getByRole('button', { name: 'Generate code' }).click();
  await expect(member.getByRole('alert')).toHaveText(
    'This character is banned. Please contact an admin.',
  );
});

test('two tabs of one browser: the one that waits learns of the success of the one that checks', async ({
  board,
  game,
  browser,
}) => {
  const checking = await newPerson(browser);
  const code = await askForCode(checking, board.url);
  game.show({ name: NAME, comment: code });
  const waiting = await checking.context().newPage();
  await waiting.goto(`${board.url}/verify/${NAME}`);
  await expect(waiting.getByText(code)).toBeVisible();
  await startCheck(checking);
  for (const page of [checking, waiting])
    await expect(page.getByRole('heading', { name: `${NAME} is verified` })).toBeVisible();
});

test.describe('where an admin verifies by hand', () => {
  test.use({ env: { CHARACTER_CHECK: 'manual' } });

  test('the page waits for the decision, which leads to the login', async ({ browser, board }) => {
    const member = await newPerson(browser);
    await askForCode(member, board.url);
    await startCheck(member);
    await expect(member.getByText('An admin verifies characters here.')).toBeVisible();
    await board.asAdmin('POST', '/admin/verify-character', { character_name: NAME });
    await expect(member.getByText('An admin verified this character.')).toBeVisible();
    await expectNothingSerious(member);
    const keys = await board.asAdmin<AccessKey[]>('GET', '/admin/access-keys');
    await loginWithKey(member, board.url, keys[0]?.key_value ?? '');
  });
});
