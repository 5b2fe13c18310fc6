import {
  closeByEscape,
  expect,
  newPerson,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

/** The policy applies to the pictures too. */
test.use({ pictures: true });

test('nothing but the client’s own style sheets is applied, and a page that tries is noticed', async ({
  board,
  browser,
  page,
  policyBroken,
}) => {
  const other = await newPerson(browser);
  for (const each of [page, other]) {
    await each.goto(board.url);
    const color = await each.evaluate(() => {
      const style = document.createElement('style');
      style.textContent = 'html { color: rgb(1, 2, 3) !important; }';
      document.head.append(style);
      return getComputedStyle(document.documentElement).color;
    });
    expect(color).not.toBe('rgb(1, 2, 3)');
  }
  await expect.poll(() => policyBroken.length).toBe(2);
  // Expected violations; any other one fails the test.
  policyBroken.length = 0;
});

test('nothing in a page tries to write programs at run time', async ({ board, page }) => {
  await board.anActiveEvent();
  const tried: string[] = [];
  // A violation that the page catches is not reported.
  await page.exposeFunction('tried', (what: string) => tried.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) => {
      if ('tried' in window && typeof window.tried === 'function')
        window.tried(`${violatedDirective}: ${sourceFile}`);
    });
  });
  await signInWithKey(
    page,
    board.url,
    (await board.aKey('Riley Ashdown')).key_value,
    '/statistics',
  );
  await expect(page.getByText('No data for these dates')).toBeVisible();
  expect(tried).toEqual([]);
});

test('a dialog locks the page behind it without an inline style', async ({ board, page }) => {
  await signInAsAdmin(page, board.url, '/admin/dashboard/respawns');
  const body = page.locator('body');
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click();
  const question = page.getByRole('alertdialog');
  await expect(question).toBeVisible();
  await expect(body).toHaveCSS('overflow', 'hidden');
  await closeByEscape(page, question);
  await expect(body).toHaveCSS('overflow', 'visible');
});

test('the description of the API is shown, and its calls are tried, with nothing but the server’s own files', async ({
  board,
  page,
}) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== board.url) elsewhere.push(request.url());
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${board.url}/api/docs`);
  // It reads and draws every call before it shows any: seconds of work for a busy machine.
  await expect(page.getByRole('heading', { name: 'Claimboard' })).toBeVisible({ timeout: 90_000 });
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(28, 32, 34)');
  await page.getByPlaceholder('Filter by tag or path').fill('config');
  // A press on a call that the filter is about to redraw is lost.
  await expect(page.locator('.opblock')).toHaveCount(2);
  const call = page.locator('.opblock', { has: page.locator('[data-path="/config"]') }).first();
  await call.getByRole('button').first().click();
  await call.getByRole('button', { name: 'Try it out' }).click();
  await call.getByRole('button', { name: 'Execute' }).click();
  await expect(call.locator('.live-responses-table')).toContainText('200');
  expect(elsewhere).toEqual([]);
});
