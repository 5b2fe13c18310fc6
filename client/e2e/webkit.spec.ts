import { Key } from 'selenium-webdriver';
import { addDays } from '../../shared/rules/server-save.ts';
import type { ClaimRow } from '../../shared/schemas/claim.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { ALL, expect, goInApp, serverSaveNow, signInWithKey, test } from './fixtures.ts';
import { named, startWebKit, text, WEBKIT_BROWSER, type WebKit } from './webkit.ts';

const SPOT = 'Cobra Bastion';
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

test.describe("in Safari's engine", { tag: ALL }, () => {
  test.skip(!WEBKIT_BROWSER, 'WebKitGTK, its driver or Xvfb is not installed');

  test("a member signs in, claims and sees others' claims arrive on a desk, then waits and takes held hours on a phone", async ({
    board,
    page,
  }) => {
    await board.anActiveEvent();
    const riley = await board.aKey('Riley Ashdown');
    const bram = await board.aKey('Old Bram');
    const spots = await board.asAdmin<Respawn[]>('GET', '/admin/respawns');
    const spot = spots.find((each) => each.name === SPOT);
    const { date } = serverSaveNow();
    // A character has one spot a date: the claim is for tomorrow, the wait for today.
    const tomorrow = addDays(date, 1);
    await signInWithKey(page, board.url, bram.key_value, `/?search=cobra+bastion&date=${tomorrow}`);
    const chromium = page.getByRole('article').filter({ hasText: SPOT }).first();

    const webkit = await startWebKit(WEBKIT_BROWSER ?? '', DESK);
    try {
      await signIn(webkit, board.url, riley.key_value);
      await webkit.driver.get(
        `${board.url}/input?respawn=${spot?.id}&date=${tomorrow}&hour=14&hours=4`,
      );
      await webkit.press(named('button', 'Submit 1 claim'));
      await webkit.find(text('Claims Submitted Successfully!'));
      await expect(chromium).toContainText('Riley Ashdown');

      await goInApp(page, '/?search=cobra+bastion');
      await webkit.driver.get(`${board.url}/?search=cobra+bastion`);
      await webkit.find(text('Again: 4 h at SS+14'));
      const claims = [
        { respawn_id: spot?.id, character_name: 'Old Bram', date, hour_start: 19, hour_end: 22 },
      ];
      const [claim] = await board.asAdmin<ClaimRow[]>('POST', '/claims', {
        admin_submission: true,
        claims,
      });
      await webkit.find(text('Old Bram'));
      expect(await widthBeyond(webkit)).toBe(0);

      await webkit.resize(PHONE);
      await webkit.press(
        `//article//button[contains(@aria-label, 'Old Bram') and contains(@aria-label, 'Join waitlist')]`,
      );
      await webkit.press(named('button', 'Join waitlist for 3 h'));
      await webkit.find(text('1 waiting'));
      await board.asAdmin('DELETE', `/admin/claims/${claim?.id}`);
      await webkit.pressAway(
        `//section[@aria-label='Held for you']//button[starts-with(normalize-space(.), 'Take hours')]`,
      );
      await webkit.findNone(`//section[@aria-label='Held for you']`);
      await expect(chromium).toContainText('SS+19 to SS+22');
      expect(await widthBeyond(webkit)).toBe(0);
    } finally {
      await webkit.close();
    }
  });
});

async function signIn(webkit: WebKit, url: string, key: string): Promise<void> {
  await webkit.driver.get(`${url}/login?type=access-key`);
  await (await webkit.find(`//input[@name='access-key']`)).sendKeys(key, Key.ENTER);
  await webkit.find(`//h1[.='Submit a claim']`);
}

const widthBeyond = (webkit: WebKit): Promise<number> =>
  webkit.driver.executeScript('return document.documentElement.scrollWidth - innerWidth');
