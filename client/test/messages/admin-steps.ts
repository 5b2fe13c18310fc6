import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Snapshot } from '../../../shared/live.ts';
import { mockServer, ok, refused } from '../../features/admin/test/server.ts';
import { openAdmin } from '../../features/admin/test/show-admin.tsx';
import { aClaimRow } from '../records.ts';

/** What an admin does on the dashboard, by role and label. */

/** A tab of the dashboard, and what the server answers there. */
export async function open(
  tab: string,
  snapshot: Snapshot,
  answers: Parameters<typeof mockServer>[0],
): Promise<void> {
  mockServer({ 'GET /api/respawns/1/claims/2026-11-21': () => ok([aClaimRow()]), ...answers });
  await openAdmin(`/admin/dashboard/${tab}`, snapshot);
}

export const press = async (...names: (string | RegExp)[]): Promise<void> => {
  for (const name of names) await userEvent.click(await screen.findByRole('button', { name }));
};
export const enter = (label: string, value: string): void =>
  void fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const type = (label: string, text: string): Promise<void> =>
  userEvent.type(screen.getByLabelText(label), text);

export const done = (data?: unknown) => () => ok(data);
export const notDone = (status: number, code: string) => () => refused(status, code);
export const failed = notDone(500, 'server.failed');
