import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivery } from '../../../../shared/schemas/destination.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aDelivery, aDestination } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';
import './notifications-tab.tsx';

// Here before the first test, which would otherwise wait for it.

const hook = aDestination({ id: 2, name: 'Bot', kind: 'webhook', url: 'bot.example' });
const CALL = 'GET /api/admin/destinations/2/deliveries';

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

const section = (): HTMLElement => screen.getByRole('region', { name: 'Deliveries of Bot' });
const rows = (): string[] =>
  within(section())
    .queryAllByRole('row')
    .slice(1)
    .map((row) => row.textContent ?? '');
async function open(): Promise<void> {
  await openAdmin('/admin/dashboard/settings/notifications', { destination: [hook] }, 'admin');
  await userEvent.click(screen.getByRole('button', { name: 'Deliveries of Bot' }));
}
/** The server says that something was sent there. */
const delivered = (at: string): void =>
  push({ op: 'put', kind: 'destination', record: { ...hook, last_delivery_at: at } });

test('each delivery shows its event, outcome, attempt and response', async () => {
  mockServer({
    [CALL]: () =>
      ok([
        aDelivery({
          id: 2,
          type: 'hold.offered',
          status: 503,
          error: 'HTTP 503',
          outcome: 'retrying',
          attempt: 2,
          answer: 'come later',
          ms: 40,
        }),
        aDelivery({ id: 1, status: null, error: 'timeout', outcome: 'retrying', ms: 15_000 }),
      ]),
  });
  await open();
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(rows()[0]).toMatch(/^Hours offered.*Retrying240 msStatus 503.*come later.*msg_42_1/);
  expect(rows()[1]).toMatch(
    /^Claim created.*Retrying115000 msno response within 15 seconds.*The response was empty/,
  );
  expect(within(section()).getByText('Last 2 deliveries, newest first')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Deliveries of Bot', expanded: true }));
  expect(screen.queryByRole('region', { name: 'Deliveries of Bot' })).toBeNull();
});

test('a refusal by Discord is told in its own sentence, with what to do', async () => {
  const error =
    'Discord 220001: Webhooks posted to forum channels must have a thread_name or thread_id';
  mockServer({
    [CALL]: () => ok([aDelivery({ status: 400, error, outcome: 'retrying', answer: '{}' })]),
    'POST /api/admin/destinations/2/test': () => ok({ ok: false, status: 400, error, ms: 40 }),
  });
  await open();
  const sentence =
    /Discord refuses every message to this channel: “Webhooks posted to forum .*” \(code 220001\)\. .*text channel/;
  await waitFor(() => expect(rows()[0]).toMatch(sentence));
  await userEvent.click(screen.getByRole('button', { name: 'Test Bot' }));
  const alert = await screen.findByText(/responded with status 400/);
  expect(alert.textContent).toMatch(sentence);
  expect(alert.textContent).not.toContain('Check what it expects');
});

test('changes during a request cause exactly one more request', async () => {
  const waiting: ((deliveries: Delivery[]) => void)[] = [];
  const sent = mockServer({
    [CALL]: () => new Promise((resolve) => waiting.push((deliveries) => resolve(ok(deliveries)))),
  });
  await open();
  delivered('2026-11-21T18:00:01.000Z');
  delivered('2026-11-21T18:00:02.000Z');
  delivered('2026-11-21T18:00:03.000Z');
  expect(sent).toHaveLength(1);
  await act(async () => waiting[0]?.([]));
  await waitFor(() => expect(sent).toHaveLength(2));
  await act(async () => waiting[1]?.([aDelivery()]));
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(sent).toHaveLength(2);
});

test('on a phone shows the newest ten, and all at a press, which moves the focus to the eleventh', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(max-width: 599.98px)',
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  const last = Array.from({ length: 50 }, (_, n) => aDelivery({ id: 50 - n, status: 200 + n }));
  mockServer({ [CALL]: () => ok(last) });
  await open();
  await waitFor(() => expect(rows()).toHaveLength(10));
  expect(within(section()).getByText('Last 50 deliveries, newest first')).toBeTruthy();
  await userEvent.click(within(section()).getByRole('button', { name: 'Show all' }));
  expect(rows()).toHaveLength(50);
  expect(document.activeElement?.textContent).toBe('Status 210');
  expect(within(section()).queryByRole('button', { name: 'Show all' })).toBeNull();
});

test('an empty list says that there are no deliveries yet', async () => {
  mockServer({ [CALL]: () => ok([]) });
  await open();
  expect(await screen.findByText('No deliveries yet')).toBeTruthy();
});

test('a failed load shows the reason, keeps the last list and can be retried', async () => {
  let answer = (): Response => ok([aDelivery()]);
  mockServer({ [CALL]: () => answer() });
  await open();
  await waitFor(() => expect(rows()).toHaveLength(1));
  answer = () => refused(503, 'server.busy', { seconds: 2 });
  delivered('2026-11-21T18:00:01.000Z');
  expect((await within(section()).findByRole('alert')).textContent).toContain(
    "Deliveries couldn't be loaded",
  );
  expect(rows()).toHaveLength(1);
  answer = () => ok([aDelivery({ id: 2 }), aDelivery()]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(within(section()).queryByRole('alert')).toBeNull();
});
