import type { Page } from '@playwright/test';
import type { Snapshot } from '../../shared/live.ts';
import en from '../../shared/locales/en.json' with { type: 'json' };
import type { UndoableAction } from '../../shared/schemas/activity-details.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import {
  type Claimboard,
  chooseAction,
  eventAroundToday,
  expect,
  goInApp,
  LONG,
  serverSaveNow,
  signInAsAdmin,
  test,
} from './fixtures.ts';

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();
/** Presses a button that asks, and confirms. */
const pressAndConfirm = async (page: Page, name: string | RegExp, confirm: string) => {
  await press(page, name);
  await page.getByRole('alertdialog').getByRole('button', { name: confirm, exact: true }).click();
};
const inBulk = async (page: Page, record: string | RegExp, name: string, confirm: string) => {
  await page.getByRole('checkbox', { name: record, exact: true }).first().check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByRole('button', { name, exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: confirm, exact: true }).click();
};
const importFile = async (page: Page, table: string, text: string) => {
  await press(page, `Import ${table}`);
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('CSV file')
    .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await dialog.getByRole('button', { name: /^Import \d/ }).click();
};

const tab = (name: string) => `/admin/dashboard/${name}`;
const CLAIMS = tab('claims?day=all');
const CLAIM = 'Riley Ashdown, ';

interface Way {
  /** The page on which an admin does it. */
  at: string;
  change: (page: Page) => Promise<void>;
}

/**
 * A no-show to excuse takes a confirmation window to pass, and the server ends access after two days and follows new names; `server/board/missed` and
 * `server/members/facts` test their undo.
 */
type Tried = Exclude<UndoableAction, 'no_show_excused' | 'access_ended' | 'character_renamed'>;

/** Every action that can be undone, as an admin does it on the guild of `aGuild`. */
const WAYS: { readonly [A in Tried]: Way | readonly Way[] } = {
  claim_updated: [
    {
      at: CLAIMS,
      change: async (page) => {
        await press(page, new RegExp(`^Edit… ${CLAIM}`));
        await page.getByRole('dialog').getByLabel('Start (SS+)').fill('11');
        await press(page, 'Save changes');
      },
    },
    {
      at: CLAIMS,
      change: async (page) => {
        await press(page, new RegExp(`^Edit… ${CLAIM}`));
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('combobox', { name: 'Spot' }).fill('Cave C');
        await page.getByRole('option', { name: /Cave C/ }).click();
        await dialog.getByRole('button', { name: 'Save changes' }).click();
      },
    },
    {
      at: CLAIMS,
      change: async (page) => {
        await press(page, new RegExp(`^Edit… ${CLAIM}`));
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('combobox', { name: 'Character' }).fill('Tessa Wynn');
        await dialog.getByRole('button', { name: 'Save changes' }).click();
      },
    },
  ],
  claim_deleted: {
    at: CLAIMS,
    change: (page) =>
      pressAndConfirm(page, new RegExp(`^Delete claim of ${CLAIM}`), 'Delete claim'),
  },
  claims_cleared: {
    at: CLAIMS,
    change: (page) => pressAndConfirm(page, 'Clear All (1) of Cave A', 'Clear 1 claim'),
  },
  claims_deleted: {
    at: CLAIMS,
    change: (page) => inBulk(page, new RegExp(`^Select ${CLAIM}`), 'Delete', 'Delete 1 claim'),
  },
  standing_ended: {
    at: `${tab('claims')}?view=weekly`,
    change: (page) => pressAndConfirm(page, 'End… Riley Ashdown, Cave B', 'End weekly claim'),
  },
  event_deleted: {
    at: tab('events'),
    change: async (page) => {
      await press(page, 'More actions for Double week');
      await page.getByRole('menuitem', { name: 'Delete Double week' }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Delete event' }).click();
    },
  },
  respawn_updated: {
    at: tab('respawns?search=cave'),
    change: async (page) => {
      await press(page, 'Edit Cave A');
      await page.getByLabel('Name of Cave A').fill('Cave Z');
      await page.getByLabel('Cave A is enabled').uncheck();
      await page.getByLabel('Category of Cave A').selectOption('none');
      await press(page, 'Save Cave A');
    },
  },
  respawn_deleted: {
    at: tab('respawns?search=cave'),
    change: (page) => pressAndConfirm(page, 'Delete Cave A', 'Delete spot'),
  },
  respawns_enabled: {
    at: tab('respawns?search=cave'),
    change: (page) => inBulk(page, 'Select Closed Cave', 'Enable', 'Enable 1 spot'),
  },
  respawns_disabled: {
    at: tab('respawns?search=cave'),
    change: (page) => inBulk(page, 'Select Cave A', 'Disable', 'Disable 1 spot'),
  },
  respawns_moved: {
    at: tab('respawns?search=cave'),
    change: (page) => inBulk(page, 'Select Cave A', 'Change category', 'Move 1 spot'),
  },
  respawns_deleted: {
    at: tab('respawns?search=cave'),
    change: (page) => inBulk(page, 'Select Cave A', 'Delete', 'Delete 1 spot'),
  },
  respawns_imported: {
    at: tab('settings/import-export'),
    change: (page) => importFile(page, 'Spots', 'Spot,Enabled\nCave A,no\nNew cave,yes\n'),
  },
  category_deleted: {
    at: tab('categories'),
    change: (page) => pressAndConfirm(page, 'Delete Caves', 'Delete category'),
  },
  member_type_deleted: {
    at: tab('members'),
    change: async (page) => {
      await press(page, 'Delete guest');
      await press(page, 'Confirm Delete guest');
    },
  },
  access_key_deleted: {
    at: tab('keys'),
    change: async (page) => {
      await chooseAction(page, 'Riley Ashdown', 'Delete key');
      await press(page, 'Delete key');
    },
  },
  access_keys_revoked: {
    at: tab('keys'),
    change: (page) => inBulk(page, 'Select Riley Ashdown', 'Revoke', 'Revoke 1 key'),
  },
  access_keys_enabled: {
    at: tab('keys'),
    change: (page) => inBulk(page, 'Select Una Vale', 'Re-enable', 'Re-enable 1 key'),
  },
  access_keys_moved: {
    at: tab('keys'),
    change: (page) => inBulk(page, 'Select Tessa Wynn', 'Change type', 'Change the type of 1 key'),
  },
  access_keys_deleted: {
    at: tab('keys'),
    change: (page) => inBulk(page, 'Select Riley Ashdown', 'Delete', 'Delete 1 key'),
  },
  members_imported: {
    at: tab('settings/import-export'),
    change: (page) =>
      importFile(page, 'Members and keys', 'Character,Type\nTessa Wynn,member\nNim Farrow,\n'),
  },
  characters_banned: {
    at: tab('verified'),
    change: (page) => inBulk(page, 'Select Riley Ashdown', 'Ban', 'Ban 1 character'),
  },
  characters_unbanned: {
    at: tab('verified'),
    change: (page) => inBulk(page, 'Select Old Bram', 'Unban', 'Unban 1 character'),
  },
  verification_deleted: {
    at: tab('verified'),
    change: async (page) => {
      await chooseAction(page, 'Riley Ashdown', 'Delete record');
      await press(page, 'Delete record');
    },
  },
  verifications_deleted: {
    at: tab('verified'),
    change: (page) => inBulk(page, 'Select Riley Ashdown', 'Delete records', 'Delete 1 record'),
  },
  destination_deleted: {
    at: tab('settings/notifications'),
    change: (page) => pressAndConfirm(page, 'Delete Guild hook', 'Delete channel'),
  },
};

const isUndoable = (action: string): action is Tried => Object.hasOwn(WAYS, action);

/** Records for every action, each with what its deletion takes along. */
async function aGuild({ asAdmin, aKey }: Claimboard): Promise<void> {
  const { start_date, end_date } = eventAroundToday();
  await asAdmin('PUT', '/admin/config', { standing_enabled: 1 });
  await asAdmin('POST', '/admin/member-types', { member_type: 'guest' });
  for (const name of ['Riley Ashdown', 'Old Bram'])
    await asAdmin('POST', '/admin/verify-character', { character_name: name });
  await asAdmin('POST', '/admin/ban-character', { character_name: 'Old Bram' });
  await aKey('Tessa Wynn', 'guest');
  const una = await aKey('Una Vale');
  await asAdmin('PUT', `/admin/access-keys/${una.id}/revoke`);
  const rows = ['Cave A', 'Cave B', 'Cave C', 'Closed Cave'].map((name) => ({
    name,
    category: 'Caves',
    enabled: name.startsWith('Closed') ? 'no' : 'yes',
  }));
  await asAdmin('POST', '/admin/import/respawns', { rows, preview: false });
  const spots = await asAdmin<Respawn[]>('GET', '/admin/respawns');
  const idOf = (name: string) => spots.find((spot) => spot.name === name)?.id;
  const hours = { character_name: 'Riley Ashdown', hour_start: 10, hour_end: 12 };
  await asAdmin('POST', '/claims', {
    admin_submission: true,
    claims: [{ ...hours, respawn_id: idOf('Cave A'), date: serverSaveNow().date }],
  });
  await asAdmin('POST', '/standing', { ...hours, respawn_id: idOf('Cave B'), weekdays: [1] });
  await asAdmin('POST', '/events', {
    name: 'Double week',
    start_time: `${start_date}T10:00`,
    end_time: `${end_date}T10:00`,
  });
  await asAdmin('POST', '/admin/destinations', {
    name: 'Guild hook',
    kind: 'webhook',
    url: 'https://hooks.example/guild',
    events: ['event.activated'],
    language: 'en',
  });
}

/** All records but the log. */
async function guildOf({ asAdmin }: Claimboard): Promise<Snapshot> {
  const { snapshot } = await asAdmin<{ snapshot: Snapshot }>('GET', '/snapshot');
  return { ...snapshot, activity: [] };
}

async function undoAll(board: Claimboard, page: Page, actions: readonly Tried[]) {
  await aGuild(board);
  await signInAsAdmin(page, board.url, tab('activity'));
  for (const action of actions) {
    for (const { at, change } of [WAYS[action]].flat()) {
      const before = await guildOf(board);
      for (const where of ['message', 'log'] as const) {
        await test.step(`${action}, from the ${where}`, async () => {
          await expectNoDialog(page);
          await goInApp(page, at);
          await change(page);
          await expect.poll(() => guildOf(board)).not.toEqual(before);
          if (where === 'message') await press(page, 'Undo');
          else await restoreFromLog(page, en.admin.activity.actions[action]);
          await expect.poll(() => guildOf(board)).toEqual(before);
        });
      }
    }
  }
}

test('a spot’s edit and an ended weekly claim are undone from the message, and from the log', async ({
  board,
  page,
}) => {
  await undoAll(board, page, ['respawn_updated', 'standing_ended']);
});

test('so is every action that can be undone', { tag: LONG }, async ({ board, page }) => {
  test.slow();
  await undoAll(board, page, Object.keys(WAYS).filter(isUndoable));
});

/** A form that closes goes back in the history, for which `goInApp` does not wait. */
const expectNoDialog = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          document.querySelector('[role=dialog], [role=alertdialog]') === null &&
          !Object.hasOwn(history.state ?? {}, 'guardsForm'),
      ),
    )
    .toBe(true);

async function restoreFromLog(page: Page, action: string): Promise<void> {
  await expectNoDialog(page);
  await goInApp(page, tab('activity'));
  await press(page, new RegExp(`^Restore: ${action}`));
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Restore|Undo)$/ })
    .click();
}
