import path from 'node:path';
import type { Page } from '@playwright/test';
import {
  type Claimboard,
  expect,
  serverSaveNow,
  signInAsAdmin,
  signInWithKey,
  test,
} from './fixtures.ts';

/** The contract's calls, answered as another server or a proxy would. Each test quotes the specification. */

const A_GIF = path.resolve(import.meta.dirname, '../../data/catalogue/images/amazon-camp.gif');

interface Answer {
  status?: number;
  json?: unknown;
  body?: string;
}

/** Answers a call of this method. A glob of the path below /api. */
async function answer(page: Page, method: string, call: string, fulfilled: Answer): Promise<void> {
  await page.route(`**/api${call}`, (route) =>
    route.request().method() === method ? route.fulfill(fulfilled) : route.fallback(),
  );
}
const cookieNames = async (page: Page): Promise<string[]> =>
  (await page.context().cookies()).map(({ name }) => name);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

for (const [how, json] of [
  ['in data', { success: true, data: { valid: false, message: 'This key was sold' } }],
  ['as the whole body', { valid: false, error: 'This key was sold' }],
] as const) {
  // Section 7: "reads data or the whole body (valid, characterName, memberType); error text from error or message."
  // Section 4: "drops invalid ones (removing their cookie)".
  test(`POST /validate-access-key: valid: false ${how} drops the profile and its cookie`, async ({
    board,
    page,
  }) => {
    const { key_value } = await board.aKey('Sable Quinn');
    await answer(page, 'POST', '/validate-access-key', { json });
    await signInWithKey(page, board.url, key_value, '/');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Failed to validate access key');
    await expect(alert).toContainText('Sable Quinn: This key was sold');
    await expect(
      button(page, 'Start Character Verification').or(
        page.getByRole('link', { name: 'Start Character Verification' }),
      ),
    ).toBeVisible();
    expect(await cookieNames(page)).not.toContain('access_key_sable_quinn');
    await page.reload();
    await expect(page.getByText('Verification required')).toBeVisible();
  });
}

// Section 4: "On start the app reads the saved access-key cookies, … drops invalid ones (removing their cookie)".
test('a cookie of an access key that cannot be read is removed at the start', async ({
  board,
  page,
}) => {
  await page.context().addCookies(
    ['%E0%A4%A', 'nonsense'].map((value, at) => ({
      name: `access_key_broken_${at}`,
      value,
      url: board.url,
    })),
  );
  await page.goto(board.url);
  await expect(page.getByText('Verification required')).toBeVisible();
  expect((await cookieNames(page)).filter((name) => name.startsWith('access_key_'))).toEqual([]);
});

for (const [how, wrap] of [
  ['in data', (data: object) => ({ success: true, data })],
  ['at the top level', (data: object) => data],
] as const) {
  // Section 7: "response data (or the top level) has verified, characterName, memberType, accessKey. On failure the error or message
  // text is used."
  test(`POST /check-verification: what stands ${how} is read`, async ({ board, page }) => {
    const { key_value } = await board.aKey('Riley Ashdown', 'elite');
    const code = {
      code: 'CODE-1',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      instructions: '',
    };
    await answer(page, 'POST', '/generate-verification-code', { json: { data: code } });
    await answer(page, 'POST', '/check-verification', {
      json: wrap({ verified: false, message: 'Not in the comment yet' }),
    });
    await page.goto(`${board.url}/verify`);
    await page.getByLabel('Character name').fill('Riley Ashdown');
    await button(page, 'Generate code').or(button(page, 'Verify again')).click();
    await button(page, 'Start Verification Check').click();
    await expect(page.getByText('Not in the comment yet')).toBeVisible();
    const found = {
      verified: true,
      characterName: 'Riley Ashdown',
      memberType: 'elite',
      accessKey: key_value,
    };
    await answer(page, 'POST', '/check-verification', { json: wrap(found) });
    await expect(page.getByText(key_value).first()).toBeVisible({ timeout: 15_000 });
  });
}

// Section 7: "Failure shows the error text, else 'Login failed'."
test('POST /login: the error text, else "Login failed"', async ({ board, page }) => {
  await page.goto(`${board.url}/login`);
  const submit = page.getByRole('main').getByRole('button', { name: 'Login', exact: true });
  await page.getByLabel('Access key', { exact: true }).fill('K7QM-2F9A-XW3C');
  for (const [fulfilled, text] of [
    [
      { status: 401, json: { error: 'The gate is closed', message: 'never' } },
      'The gate is closed',
    ],
    [{ status: 401, json: { message: 'The gate is shut' } }, 'The gate is shut'],
    [{ status: 500, body: '<h1>Bad day</h1>' }, 'Login failed'],
  ] as const) {
    await answer(page, 'POST', '/login', fulfilled);
    await submit.click();
    await expect(page.getByRole('alert')).toHaveText(text);
  }
});

// Section 7: "Error text is read from the error field, else 'Failed to create claim'."
test('POST /claims: the error field, else "Failed to create claim"; the kept row has the specified names', async ({
  board,
  page,
}) => {
  const { key_value } = await board.aKey('Riley Ashdown');
  const [respawn] = await board.asAdmin<{ id: number }[]>('GET', '/admin/respawns');
  await signInWithKey(page, board.url, key_value, `/input?respawn=${respawn?.id}`);
  await page.getByRole('button', { name: /^SS\+14,/ }).click();
  const submit = button(page, 'Submit 1 claim');
  await answer(page, 'POST', '/claims', { status: 422, json: { error: 'The spot is flooded' } });
  await submit.click();
  await expect(page.getByRole('alert')).toHaveText('The spot is flooded');
  await answer(page, 'POST', '/claims', { status: 500, json: {} });
  await submit.click();
  await expect(page.getByText('Failed to create claim', { exact: true })).toBeVisible();
  // Section 3: "Claim form row (local): date, hour_start, custom_duration, is_split, split_data, is_secondary, secondary_respawn_id,
  // secondary_hour_start, secondary_priority."
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page).not.toHaveURL(/input/);
  const kept = await page.evaluate(() => JSON.parse(sessionStorage.getItem('claimForm') ?? '{}'));
  expect(Object.keys(kept.state.rows[0])).toEqual([
    'date',
    'hour_start',
    'custom_duration',
    'is_split',
    'split_data',
    'is_secondary',
    'secondary_respawn_id',
    'secondary_hour_start',
    'secondary_priority',
  ]);
});

// Section 7: "Errors are read from an error field." Section 8: "'Failed to create member type' (server error text when present)".
test('POST /admin/member-types and /admin/access-keys: the sentence with the server’s text', async ({
  board,
  page,
}) => {
  await signInAsAdmin(page, board.url, '/admin/dashboard/members');
  await answer(page, 'POST', '/admin/member-types', {
    status: 422,
    json: { error: 'No more types' },
  });
  const form = page.getByRole('form', { name: 'New member type' });
  await form.getByLabel('Name').fill('Scout');
  await form.getByRole('button', { name: 'Create member type' }).click();
  await expect(form.getByText('Failed to create member type', { exact: true })).toBeVisible();
  await expect(form.getByText('No more types', { exact: true })).toBeVisible();
  // Section 8: "'Failed to create access key' (server error or message text when present)".
  await page.goto(`${board.url}/admin/dashboard/keys`);
  await answer(page, 'POST', '/admin/access-keys', {
    status: 422,
    json: { message: 'No more keys' },
  });
  await page.getByPlaceholder('Character name').fill('Sable Quinn');
  await button(page, 'Generate key').click();
  await expect(page.getByText('Failed to create access key', { exact: true })).toBeVisible();
  await expect(page.getByText('No more keys', { exact: true })).toBeVisible();
});

// Section 8: "'Failed to create respawn: {status} {body}'"; "'Failed to update respawn category'; 'Failed to update respawn image';
// 'Failed to delete respawn'".
test('respawns: status and body; the sentences without a reason stand alone', async ({
  board,
  page,
}) => {
  const [respawn] = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  if (!respawn) throw new Error('there are no respawns');
  const { name } = respawn;
  await signInAsAdmin(page, board.url, '/admin/dashboard/respawns');
  const form = page.getByRole('form', { name: 'New spot' });
  await form.getByLabel('Name').fill('Hidden Nest');
  await form.getByLabel('Picture').setInputFiles(A_GIF);
  for (const [fulfilled, text] of [
    [{ status: 507, body: 'Disk full' }, '507 Disk full'],
    [{ status: 422, json: { error: 'No more spots' } }, '422 No more spots'],
  ] as const) {
    await answer(page, 'POST', '/respawns/admin', fulfilled);
    await form.getByRole('button', { name: 'Create spot' }).click();
    await expect(form.getByRole('alert')).toHaveText(`Failed to create respawn: ${text}`);
  }
  const refusal = { status: 422, json: { error: 'The spot is flooded' } };
  await answer(page, 'PUT', `/admin/respawns/${respawn.id}/image`, refusal);
  await page.getByLabel('Search spots').fill(name);
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  await page.getByLabel(`Picture of ${name}`, { exact: true }).setInputFiles(A_GIF);
  await page.getByRole('button', { name: `Save ${name}`, exact: true }).click();
  await expect(page.getByText('Failed to update respawn image', { exact: true })).toBeVisible();
  await expect(page.getByText('The spot is flooded', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Cancel editing ${name}`, exact: true }).click();
  await answer(page, 'PUT', `/admin/respawns/${respawn.id}/category`, refusal);
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  await page.getByLabel(`Category of ${name}`, { exact: true }).selectOption('none');
  await page.getByRole('button', { name: `Save ${name}`, exact: true }).click();
  await expect(page.getByText('Failed to update respawn category', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Cancel editing ${name}`, exact: true }).click();
  await answer(page, 'DELETE', `/admin/respawns/${respawn.id}`, refusal);
  await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
  await button(page, 'Delete spot').click();
  await expect(page.getByText('Failed to delete respawn', { exact: true })).toBeVisible();
});

async function aClaim(board: Claimboard): Promise<string> {
  const [respawn] = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  if (!respawn) throw new Error('there are no respawns');
  const claim = {
    respawn_id: respawn.id,
    character_name: 'Sable Quinn',
    hour_start: 10,
    date: serverSaveNow().date,
  };
  await board.asAdmin('POST', '/claims', { admin_submission: true, claims: [claim] });
  return respawn.name;
}

// Section 8: "'Failed to delete claim'; 'Failed to clear claims for {respawn}'".
test('claims: the sentence stands alone, the reason is a second line', async ({ board, page }) => {
  await board.anActiveEvent();
  const respawn = await aClaim(board);
  await answer(page, 'DELETE', '/admin/claims/*', { status: 422, json: { error: 'Not today' } });
  await answer(page, 'DELETE', '/claims/admin/respawn/*', {
    status: 422,
    json: { message: 'Not today' },
  });
  await signInAsAdmin(page, board.url, '/admin/dashboard/claims');
  for (const [open, confirmed, sentence] of [
    [/^Delete claim of Sable Quinn/, 'Delete claim', 'Failed to delete claim'],
    [/^Clear All/, 'Clear 1 claim', `Failed to clear claims for ${respawn}`],
  ] as const) {
    await button(page, open).first().click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: confirmed }).click();
    await expect(dialog.getByText(sentence, { exact: true })).toBeVisible();
    await expect(dialog.getByText('Not today', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  }
});

// Section 8: "'Failed to delete event', 'Failed to activate event', 'Failed to deactivate event'".
test('events: the sentence stands alone; an event of one day is sent with times', async ({
  board,
  page,
}) => {
  const { name } = await board.anActiveEvent();
  await signInAsAdmin(page, board.url, '/admin/dashboard/events');
  await button(page, 'Create event').first().click();
  const form = page.getByRole('dialog', { name: 'Create event' });
  const { date } = serverSaveNow();
  await form.getByLabel('Name').fill('One day');
  await form.getByLabel('Start').fill(date);
  await form.getByLabel('End').fill(date);
  const request = page.waitForRequest(
    (sent) => sent.method() === 'POST' && sent.url().endsWith('/api/events'),
  );
  await form.getByRole('button', { name: 'Create event' }).click();
  // Section 3: "start_time and end_time (a date followed by a time…)".
  expect((await request).postDataJSON()).toMatchObject({
    start_time: `${date} 00:00:00`,
    end_time: `${date} 23:59:59`,
  });
  await expect(page.getByText("Event 'One day' created successfully")).toBeVisible();

  const refusal = { status: 422, json: { error: 'Not today' } };
  await answer(page, 'DELETE', '/events/*', refusal);
  await page.route('**/api/events/*/{activate,deactivate}', (route) => route.fulfill(refusal));
  const fails = async (confirmed: string, sentence: string): Promise<void> => {
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: confirmed }).click();
    await expect(dialog.getByText(sentence, { exact: true })).toBeVisible();
    await expect(dialog.getByText('Not today', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  };
  await button(page, 'Activate One day').click();
  await fails('Activate event', 'Failed to activate event');
  await button(page, `More actions for ${name}`).click();
  await page.getByRole('menuitem', { name: `Deactivate ${name}` }).click();
  await fails('Deactivate event', 'Failed to deactivate event');
  await button(page, `More actions for ${name}`).click();
  await page.getByRole('menuitem', { name: `Delete ${name}` }).click();
  await fails('Delete event', 'Failed to delete event');
});

// Section 8: "'Configuration saved successfully!'".
test('closing claims says that the configuration was saved, in a line of its own', async ({
  board,
  page,
}) => {
  await signInAsAdmin(page, board.url);
  await button(page, 'Claims open').click();
  await page.getByRole('menuitem', { name: 'Close claims…' }).click();
  await button(page, 'Close claims').click();
  await expect(page.getByText('Configuration saved successfully!', { exact: true })).toBeVisible();
  await expect(page.getByText('Claims are closed.', { exact: true }).first()).toBeVisible();
});
