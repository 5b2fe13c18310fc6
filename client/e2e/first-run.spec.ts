import { omit } from '../../shared/omit.ts';
import { expectNothingSerious } from './axe.ts';
import { expect, expectToFit, loginWithKey, newPerson, settingsOf, test } from './fixtures.ts';
import { startFresh } from './servers.ts';

/** Most of this time is the browser's; a person reads longer. */
const MAX_SECONDS = 15 * 60;

test('the first fifteen minutes: from an empty data folder to a member’s first claim', async ({
  page,
  browser,
}) => {
  test.slow();
  const settings = omit(settingsOf({ ADMIN_USERNAME: 'admin' }), 'ADMIN_PASSWORD');
  const began = Date.now();
  const { url, printed, stop } = await startFresh(settings);
  try {
    // The terminal says where to go and how to sign in.
    expect(printed).toContain(`Board:             ${url.replace('127.0.0.1', 'localhost')}/`);
    expect(printed).toMatch(/Members verify at: \S+\/verify\n/);
    expect(printed).toMatch(/Admins sign in at: \S+\/admin\/login\n/);
    const [, password = ''] = /Password: (\S+)/.exec(printed) ?? [];

    // The board has a door for admins.
    await page.goto(url);
    await page.getByRole('main').getByRole('link', { name: 'Admin login' }).click();
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();

    const list = page.getByRole('region', { name: 'Set up your guild' });
    const step = (id: string) => list.locator(`[data-step="${id}"]`);
    await expect(list.getByText('0 of 10 done')).toBeVisible();
    await expectNothingSerious(page, 'the checklist');
    await expectToFit(page, 'the checklist');

    await expect(step('public_address')).toContainText(
      'Set PUBLIC_URL to the address that your members use',
    );
    await list.getByRole('button', { name: 'Skip: Set the public address' }).click();

    await list.getByLabel('Guild name').fill('Night Watch');
    await list.getByRole('button', { name: 'Save' }).click();
    await expect(step('guild_name')).toHaveAttribute('data-state', 'done');

    await expectNothingSerious(page, 'the ways to become a member');
    await expect(list.getByRole('button', { name: 'Copy text for Discord' })).toBeVisible();
    await list.getByRole('button', { name: 'Paste a list of names' }).click();
    await page.getByLabel('Character names').fill('Riley Ashdown\nSable Quinn');
    await page.getByRole('button', { name: 'Create 2 keys' }).click();
    const made = page.getByRole('dialog', { name: '2 keys created' });
    await expect(made.getByLabel('Names and keys')).toHaveValue(
      /^Riley Ashdown: [A-Z0-9-]{14}\nSable Quinn: [A-Z0-9-]{14}$/,
    );
    const [, key = ''] =
      /Riley Ashdown: (\S+)/.exec(await made.getByLabel('Names and keys').inputValue()) ?? [];
    await made.getByRole('button', { name: 'Close' }).last().click();
    await expect(step('members')).toHaveAttribute('data-state', 'done');

    await list.getByRole('button', { name: 'Create an event' }).click();
    const form = page.getByRole('dialog', { name: 'Create event' });
    await form.getByLabel('Name').fill('First hunt');
    await form.getByRole('button', { name: 'Create and activate' }).click();
    await expect(step('event')).toHaveAttribute('data-state', 'done');

    await list.getByRole('button', { name: 'Looks good: Check the spots' }).click();
    await expect(step('spots')).toHaveAttribute('data-state', 'skipped');
    await expect(list.getByText('5 of 10 done')).toBeVisible();

    // The member signs in with the key and claims.
    const member = await newPerson(browser, { viewport: { width: 390, height: 844 } });
    await loginWithKey(member, url, key);
    await member.getByRole('combobox', { name: 'Spot', exact: true }).fill('Cobra Bastion');
    await member.getByRole('option', { name: 'Cobra Bastion', exact: true }).click();
    await member
      .getByRole('group', { name: /^Start hour/ })
      .getByRole('button', { disabled: false })
      .last()
      .click();
    await member.getByRole('button', { name: /^Submit/ }).click();
    await expect(member.getByText('Claims Submitted Successfully!')).toBeVisible();

    // The admin sees it at once, and the list leaves when it is dismissed.
    await expect(page.getByRole('region', { name: 'Guild status' })).toContainText('1 claim');
    await list.getByRole('button', { name: 'Dismiss the list' }).click();
    await expect(list).toBeHidden();
    // The pressed button is gone with the list.
    await expect(page.getByRole('tabpanel')).toBeFocused();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'First hunt' })).toBeVisible();
    await expect(list).toBeHidden();
    const seconds = (Date.now() - began) / 1_000;
    expect(seconds).toBeLessThan(MAX_SECONDS);
    test.info().annotations.push({
      type: 'seconds to the first claim',
      description: String(Math.round(seconds)),
    });
  } finally {
    await stop();
  }
});
