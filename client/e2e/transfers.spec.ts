import type { Page } from '@playwright/test';
import { expectNothingSerious, namesWithoutWhatIsWritten } from './axe.ts';
import {
  type Claimboard,
  expect,
  expectToFit,
  LONG,
  newPerson,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  tagged,
  test,
} from './fixtures.ts';

const DAY_MS = 86_400_000;
const PHONE = { width: 390, height: 844 };
const tomorrow = (): string =>
  new Date(Date.parse(`${serverSaveNow().date}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/** Two members of a guild with transfers, each with a claim of tomorrow: on Cobra Bastion and on Fire Library. */
async function twoMembers(board: Claimboard) {
  await board.asAdmin('PUT', '/admin/config', { transfers_enabled: 1 });
  const riley = await board.aKey('Riley Ashdown');
  const arden = await board.aKey('Arden Vale');
  const spots = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  const claim = async (character_name: string, spot: string, hour_start: number): Promise<void> => {
    const respawn_id = spots.find(({ name }) => name === spot)?.id;
    const claims = [
      { respawn_id, character_name, date: tomorrow(), hour_start, hour_end: hour_start + 3 },
    ];
    await board.asAdmin('POST', '/claims', { admin_submission: true, claims });
  };
  await claim('Riley Ashdown', 'Cobra Bastion', 10);
  await claim('Arden Vale', 'Fire Library', 15);
  return { riley, arden };
}

const comingUp = (page: Page) =>
  page.getByRole('main').getByRole('region', { name: 'Coming up', exact: true });

test('a claim is handed over by keyboard on a phone, swapped back for another, and moved by an admin, who undoes that', async ({
  board,
  browser,
  page: admin,
}) => {
  // Three people, each with a page of their own.
  test.slow();
  const { riley, arden } = await twoMembers(board);
  const phone = await newPerson(browser, { viewport: PHONE });
  const other = await newPerson(browser);
  await signInWithKey(phone, board.url, riley.key_value, '/mine');
  await signInWithKey(other, board.url, arden.key_value, '/mine');

  // Arden has a claim of that date, so it can't be handed over; a swap can.
  const more = comingUp(phone).getByRole('button', { name: 'More, Cobra Bastion' });
  await more.press('Enter');
  await expect(phone.getByRole('menuitem', { name: 'Hand over…' })).toBeFocused();
  await expectNothingSerious(phone);
  await phone.keyboard.press('Enter');
  const handover = phone.getByRole('dialog', { name: 'Hand over your claim' });
  await handover.getByLabel('To which character?').fill('Arden Vale');
  await handover.getByLabel('To which character?').press('Enter');
  await expect(handover.getByText(/Arden Vale can't take this claim/)).toBeVisible();
  await expectNothingSerious(phone);
  await phone.keyboard.press('Escape');
  const discard = phone.getByRole('button', { name: /^Discard/ });
  if (await discard.isVisible()) await discard.press('Enter');
  await expect(handover).toHaveCount(0);
  await expect(more).toBeFocused();

  await phone.keyboard.press('Enter');
  await phone.getByRole('menuitem', { name: 'Swap…' }).press('Enter');
  const swap = phone.getByRole('dialog', { name: 'Swap your claim' });
  await swap.getByRole('radio', { name: /Arden Vale, Fire Library/ }).press(' ');
  await expect(swap.getByText('You get')).toBeVisible();
  await expectNothingSerious(phone);
  expect(await namesWithoutWhatIsWritten(phone)).toEqual([]);
  await expectToFit(phone);
  await swap.getByRole('button', { name: 'Offer swap' }).press('Enter');
  await expect(phone.getByText('Offered to Arden Vale').first()).toBeVisible();

  const banner = other.getByRole('region', { name: 'Claims offered to you' });
  await expect(banner).toContainText('Riley Ashdown offers you a swap');
  await expect(banner).toContainText('You give: Fire Library');
  await expectNothingSerious(other);
  await banner.getByRole('button', { name: /^Accept/ }).press('Enter');
  await expect(comingUp(other)).toContainText('Cobra Bastion');
  await expect(comingUp(phone)).toContainText('Fire Library');
  await expect(banner).toHaveCount(0);

  await signInAsAdmin(admin, board.url, '/admin/dashboard/claims');
  await admin.getByRole('button', { name: 'All dates' }).first().click();
  await admin.getByRole('button', { name: /^Edit… Riley Ashdown/ }).click();
  const move = admin.getByRole('dialog', { name: 'Edit claim' });
  await move.getByLabel('Character', { exact: true }).fill('Kael Castell');
  await move.getByRole('button', { name: 'Save changes' }).click();
  await expect(admin.getByText('The claim now belongs to Kael Castell')).toBeVisible();
  await expect(comingUp(phone).getByText('Fire Library')).toHaveCount(0);
  await admin.getByRole('button', { name: 'Undo' }).click();
  await expect(admin.getByText('The claim belongs to Riley Ashdown again')).toBeVisible();
  await expect(comingUp(phone)).toContainText('Fire Library');
});

for (const [locale, tag] of [
  ['en', LONG],
  ['es', LONG],
  ['pt', ''],
] as const) {
  test(
    `the forms of weekly claims and transfers fit a phone, in ${locale}`,
    tagged(tag),
    async ({ board, browser }) => {
      const { riley, arden } = await twoMembers(board);
      await board.asAdmin('PUT', '/admin/config', { standing_enabled: 1 });
      const phone = await newPerson(browser, { locale: 'en', viewport: PHONE });
      await phone.addInitScript((language) => localStorage.setItem('language', language), locale);
      await signInWithKey(phone, board.url, riley.key_value, '/mine');
      await expect(phone.locator('html')).toHaveAttribute('lang', locale);
      const button = (name: RegExp) => phone.getByRole('main').getByRole('button', { name });
      const form = /^(New weekly claim|Nueva reserva semanal|Nova reserva semanal)/;
      for (const { opener, nth } of [
        ...[0, 1, 2].map((nth) => ({ opener: button(/Cobra Bastion$/), nth })),
        { opener: button(form), nth: null },
      ]) {
        await opener.press('Enter');
        if (nth !== null) await phone.getByRole('menuitem').nth(nth).press('Enter');
        const dialog = phone.getByRole('dialog');
        await expect(dialog.locator('form')).toBeVisible();
        await expectToFit(phone);
        expect(await dialog.innerText()).not.toMatch(/\b(transfer|standing)\.[a-z]|\{\{/);
        await phone.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
      }
      const answer = await phone.request.get(`${board.url}/api/snapshot`, {
        headers: { 'X-Access-Key': arden.key_value },
      });
      const { data } = await answer.json();
      const idOf = (name: string): number =>
        data.snapshot.claim.find(
          (claim: { character_name: string }) => claim.character_name === name,
        ).id;
      const path = `${board.url}/api/claims/${idOf('Arden Vale')}/swap`;
      const body = { for_claim_id: idOf('Riley Ashdown') };
      expect(
        (
          await phone.request.post(path, {
            headers: { 'X-Access-Key': arden.key_value },
            data: body,
          })
        ).status(),
      ).toBe(201);
      await expect(phone.getByRole('button', { name: /Arden Vale$/ })).toHaveCount(2);
      await expectToFit(phone);
      await expectNothingSerious(phone);
    },
  );
}
