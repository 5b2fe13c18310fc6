import type { Locator, Page } from '@playwright/test';
import type { ClaimRow } from '../../shared/schemas/claim.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { expectNothingSerious } from './axe.ts';
import {
  EVERYWHERE,
  expect,
  expectToFit,
  goInApp,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

const SPOT = 'Cobra Bastion';
const HOLDER = 'Old Bram';
const card = (page: Page): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: SPOT }) });
const rows = (page: Page): Locator => card(page).getByRole('listitem');
const waitFor = (page: Page, name: string): Locator =>
  card(page).getByRole('button', { name: new RegExp(`${name}.*Join waitlist for these hours$`) });
const line = (page: Page, text: RegExp): Locator => card(page).getByRole('button', { name: text });
const banner = (page: Page): Locator => page.getByRole('region', { name: 'Held for you' });

async function openBoard(page: Page, url: string, key: string): Promise<void> {
  await signInWithKey(page, url, key, '/?search=cobra+bastion');
  await expect(rows(page).filter({ hasText: HOLDER })).toBeVisible();
}

/** The card's day and waitlist: the same for every viewer, except for the marks of their own. */
const boardOf = async (page: Page): Promise<string[]> =>
  (await rows(page).allInnerTexts()).map((text) =>
    text
      .replace(/\b(you|new|More)\b/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );

test('freed hours are offered, declined, offered to the next, taken, and every board agrees', async ({
  board,
  page: arden,
  browser,
}) => {
  await board.anActiveEvent();
  const bramKey = await board.aKey(HOLDER);
  const ardenKey = await board.aKey('Arden Vale');
  const sableKey = await board.aKey('Sable Quinn');
  const [spot] = (await board.asAdmin<Respawn[]>('GET', '/admin/respawns')).filter(
    ({ name }) => name === SPOT,
  );
  const { date } = serverSaveNow();
  const claims = [
    { respawn_id: spot?.id, character_name: HOLDER, date, hour_start: 10, hour_end: 14 },
  ];
  const [claim] = await board.asAdmin<ClaimRow[]>('POST', '/claims', {
    admin_submission: true,
    claims,
  });
  const bram = await newPerson(browser, { viewport: { width: 1440, height: 900 } });
  const sable = await newPerson(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await openBoard(bram, board.url, bramKey.key_value);
  await openBoard(arden, board.url, ardenKey.key_value);
  await openBoard(sable, board.url, sableKey.key_value);
  // No member waits for their own hours.
  await expect(waitFor(bram, HOLDER)).toHaveCount(0);

  // Arden waits for all of it, by Enter; Sable on a phone, for three hours.
  await waitFor(arden, HOLDER).click();
  await expect(arden.getByRole('button', { name: 'Join waitlist for 4 h' })).toBeFocused();
  await expectNothingSerious(arden);
  await arden.keyboard.press('Enter');
  await expect(
    arden.getByText(`Arden Vale is number 1 on the waitlist for ${SPOT}, SS+10 to SS+14`),
  ).toBeVisible();
  await expect(line(bram, /^1 waiting/)).toBeVisible();
  await waitFor(sable, HOLDER).tap();
  await sable.getByRole('slider', { name: 'End' }).press('ArrowLeft');
  await sable.getByRole('button', { name: 'Join waitlist for 3 h' }).tap();
  await expect(line(sable, /^2 waiting\s*you're number 2/)).toBeVisible();
  await expect(line(arden, /^2 waiting\s*you're number 1/)).toBeVisible();

  // The claim goes: Arden, who is on another page, cannot miss it.
  await goInApp(arden, '/verify');
  await expect(arden).toHaveTitle(/^Verify Character/);
  await board.asAdmin('DELETE', `/admin/claims/${claim?.id}`);
  await expect(banner(arden)).toContainText(`Held for you: ${SPOT} SS+10 to SS+14`);
  await expect(banner(arden)).toContainText(/\d+ min left/);
  await expect(arden).toHaveTitle(new RegExp(`^\\d+ min: ${SPOT} is held for you$`));
  await expectNothingSerious(arden);
  await expect(rows(bram).filter({ hasText: /held for Arden Vale, \d+ min/ })).toBeVisible();
  await expect(banner(sable)).toHaveCount(0);
  await arden.reload();
  await expect(banner(arden)).toContainText(SPOT);

  // After Bram's decline Sable is offered the hours that she waits for.
  await banner(arden).getByRole('button', { name: 'Decline' }).click();
  await expect(banner(arden)).toHaveCount(0);
  await expect(arden).toHaveTitle(/^Verify Character/);
  await expect(banner(sable)).toContainText(`Held for you: ${SPOT} SS+10 to SS+13`);
  await expectToFit(sable);
  await expectNothingSerious(sable);
  await expect(rows(bram).filter({ hasText: /held for Sable Quinn, \d+ min/ })).toBeVisible();
  await banner(sable)
    .getByRole('button', { name: /^Take hours/ })
    .tap();
  await expect(sable.getByText(`You claimed ${SPOT}, SS+10 to SS+13`)).toBeVisible();
  await expect(banner(sable)).toHaveCount(0);

  // All boards are equal, also a freshly loaded one.
  await goInApp(arden, '/?search=cobra+bastion');
  const late = await newPerson(browser, { viewport: { width: 1440, height: 900 } });
  await signInWithKey(late, board.url, bramKey.key_value, '/?search=cobra+bastion');
  for (const page of [bram, arden, sable, late]) {
    await expect(rows(page).filter({ hasText: 'Sable Quinn' })).toHaveCount(1);
    await expect(card(page).getByText(/held for|waiting/)).toHaveCount(0);
  }
  const same = await boardOf(late);
  expect(same).toHaveLength(1);
  for (const page of [bram, arden, sable]) await expect.poll(() => boardOf(page)).toEqual(same);
});

for (const width of [1440, 390]) {
  test(`held hours are offered to the member who waits for them, and taken, at ${width} px`, {
    tag: EVERYWHERE,
  }, async ({ board, page: arden, browser }) => {
    await arden.setViewportSize({ width, height: 844 });
    await board.anActiveEvent();
    const bramKey = await board.aKey(HOLDER);
    const ardenKey = await board.aKey('Arden Vale');
    const [spot] = (await board.asAdmin<Respawn[]>('GET', '/admin/respawns')).filter(
      ({ name }) => name === SPOT,
    );
    const claims = [
      {
        respawn_id: spot?.id,
        character_name: HOLDER,
        date: serverSaveNow().date,
        hour_start: 10,
        hour_end: 14,
      },
    ];
    const [claim] = await board.asAdmin<ClaimRow[]>('POST', '/claims', {
      admin_submission: true,
      claims,
    });
    const bram = await newPerson(browser);
    await openBoard(bram, board.url, bramKey.key_value);
    await openBoard(arden, board.url, ardenKey.key_value);
    await waitFor(arden, HOLDER).click();
    await arden.getByRole('button', { name: 'Join waitlist for 4 h' }).click();
    await expect(line(bram, /^1 waiting/)).toBeVisible();
    await board.asAdmin('DELETE', `/admin/claims/${claim?.id}`);
    await expect(rows(bram).filter({ hasText: /held for Arden Vale, \d+ min/ })).toBeVisible();
    await banner(arden)
      .getByRole('button', { name: /^Take hours/ })
      .click();
    await expect(banner(arden)).toHaveCount(0);
    for (const page of [arden, bram])
      await expect(rows(page).filter({ hasText: 'Arden Vale' })).toHaveCount(1);
  });
}

test('a member leaves the waitlist; an admin’s own offer shows on the dashboard; nothing shows while waitlists are off', async ({
  board,
  page,
  browser,
}) => {
  await board.anActiveEvent();
  const ardenKey = await board.aKey('Arden Vale');
  const sableKey = await board.aKey('Sable Quinn');
  const [spot] = (await board.asAdmin<Respawn[]>('GET', '/admin/respawns')).filter(
    ({ name }) => name === SPOT,
  );
  const { date } = serverSaveNow();
  const hours = { respawn_id: spot?.id, date, hour_start: 10, hour_end: 14 };
  const claims = [{ ...hours, character_name: HOLDER }];
  const [claim] = await board.asAdmin<ClaimRow[]>('POST', '/claims', {
    admin_submission: true,
    claims,
  });
  const sable = await newPerson(browser);
  await openBoard(sable, board.url, sableKey.key_value);
  await openBoard(page, board.url, ardenKey.key_value);
  await waitFor(sable, HOLDER).click();
  await sable.getByRole('button', { name: 'Join waitlist for 4 h' }).click();
  await line(sable, /^1 waiting\s*you're number 1/).click();
  await card(sable).getByRole('button', { name: 'Leave waitlist' }).click();
  await sable.getByRole('alertdialog').getByRole('button', { name: 'Leave waitlist' }).click();
  await expect(sable.getByText(`You left the waitlist for ${SPOT}`)).toBeVisible();
  await expect(line(sable, /waiting/)).toHaveCount(0);

  await waitFor(page, HOLDER).click();
  await page.getByRole('button', { name: 'Join waitlist for 4 h' }).click();
  await expect(line(page, /^1 waiting\s*you're number 1/)).toBeVisible();
  await signInAsAdmin(page, board.url);
  await board.asAdmin('DELETE', `/admin/claims/${claim?.id}`);
  await expect(banner(page)).toContainText(SPOT);
  await banner(page)
    .getByRole('button', { name: /^Take hours/ })
    .click();
  await expect(page.getByText(`You claimed ${SPOT}, SS+10 to SS+14`)).toBeVisible();
  // The hold and the waitlist entry are two rows with that name until the claim arrives.
  await expect(rows(sable).filter({ hasText: 'Arden Vale' })).toHaveCount(1);

  await expect(waitFor(sable, 'Arden Vale')).toBeVisible();
  await board.asAdmin('PUT', '/admin/config', { waits_enabled: 0 });
  await expect(waitFor(sable, 'Arden Vale')).toHaveCount(0);
});
