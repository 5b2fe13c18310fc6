import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyChanges, clearBoard } from '../../state/board-store.ts';
import { descriptionOf } from '../../test/description.ts';
import { aClaim, aClaimOnRespawn } from '../../test/records.ts';
import { FakeServer, ok } from './test/fake-server.ts';
import { chooseSpot, dialog, hourIn, part, press, submitButton } from './test/page-parts.ts';
import { claimRowOf, eventOf, memberTypeOf, onItsDate } from './test/records.ts';
import { showSubmitPage, signIn } from './test/show-submit-page.tsx';

let server: FakeServer;

beforeEach(() => {
  clearBoard();
  server = new FakeServer()
    .on('GET', '/respawns/2/claims/2026-11-21', () =>
      ok([claimRowOf({ id: 1, respawn_id: 2, hour_start: 18, hour_end: 22 })]),
    )
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    );
});
afterEach(() => vi.unstubAllGlobals());

const apply = (): HTMLElement => dialog().getByRole('button', { name: 'Use these two parts' });
const openSplit = async (query = '?respawn=1'): Promise<void> => {
  showSubmitPage(query);
  await press('Split in two');
};

describe('the two parts', () => {
  test('start at SS+10 and SS+14 with half the voucher each, the first on the chosen spot (R5.1)', async () => {
    signIn({ member_type: [memberTypeOf({ voucher_duration_hours: 3 })] });
    await openSplit();
    expect(hourIn(part(1), 10).getAttribute('aria-pressed')).toBe('true');
    expect(hourIn(part(2), 14).getAttribute('aria-pressed')).toBe('true');
    expect(part(1).getByRole('radio', { name: '2 h' })).toHaveProperty('checked', true);
    expect(part(2).getByRole('radio', { name: '1 h' })).toHaveProperty('checked', true);
    expect(part(1).getByRole('combobox', { name: 'Spot, part 1' })).toHaveProperty(
      'value',
      'Cobra Bastion',
    );
  });

  test('start with the chosen hours in two halves, moved to the nearest free ones, without showing an error', async () => {
    server.on('GET', '/respawns/1/claims/2026-11-21', () =>
      ok([claimRowOf({ id: 3, hour_start: 13, hour_end: 15 })]),
    );
    signIn({
      claim: [
        aClaim({
          id: 3,
          respawn_id: 1,
          character_name: 'Sable Quinn',
          date: '2026-11-21',
          hour_start: 13,
          hour_end: 15,
        }),
      ],
    });
    await openSplit('?respawn=1&hour=8&hours=3');
    const hours = (): (string | null | undefined)[] =>
      [1, 2].map((n) => part(n).getByText(/^SS\+\d+ to SS\+\d+$/).textContent);
    expect(hours()).toEqual(['SS+8 to SS+10', 'SS+10 to SS+11']);
    await press('Cancel');
    // The claim begins amid the chosen hours.
    await userEvent.click(screen.getByRole('radio', { name: '1 h' }));
    await userEvent.click(hourIn(screen, 12));
    await userEvent.click(screen.getByRole('radio', { name: '4 h' }));
    await press('Split in two');
    expect(hours()).toEqual(['SS+11 to SS+13', 'SS+14 to SS+16']);
    expect(dialog().queryByRole('alert')).toBeNull();
  });

  test('each need a respawn before they can be used', async () => {
    signIn();
    await openSplit();
    expect(dialog().getByText('Part 2: Please select a respawn')).toBeTruthy();
    expect(apply()).toHaveProperty('disabled', true);
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    expect(apply()).toHaveProperty('disabled', false);
  });

  test('may not overlap in time, even on different spots (R5.4)', async () => {
    signIn();
    await openSplit();
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    await userEvent.click(hourIn(part(2), 11));
    expect(dialog().getByRole('alert').textContent).toBe(
      'Overlap between Part 1 (SS+10-12) and Part 2 (SS+11-13). A player cannot be in two places at the same time.',
    );
    expect(apply()).toHaveProperty('disabled', true);
    await userEvent.click(hourIn(part(2), 12));
    expect(dialog().queryByRole('alert')).toBeNull();
  });

  test('together last no longer than the voucher (R5.2)', async () => {
    signIn();
    await openSplit();
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    await userEvent.click(part(1).getByRole('radio', { name: '3 h' }));
    expect(dialog().getByRole('alert').textContent).toBe(
      'The two parts together can last at most 4 h.',
    );
    await userEvent.click(part(2).getByRole('radio', { name: '1 h' }));
    expect(apply()).toHaveProperty('disabled', false);
  });

  test('do not pass SS+24, and say which part would (R5.3)', async () => {
    signIn();
    await openSplit();
    await userEvent.click(part(2).getByRole('radio', { name: '1 h' }));
    await userEvent.click(hourIn(part(2), 23));
    await userEvent.click(part(2).getByRole('radio', { name: '2 h' }));
    expect(part(2).getByRole('alert').textContent).toBe(
      'Split part 2: Start time SS+23 with 2-hour duration would exceed SS+24. Please choose an earlier start time.',
    );
    // "The day runs SS+0 to SS+24".
    expect(part(2).getByText('SS+23, 2 h')).toBeTruthy();
  });

  test('show the taken hours of their own respawn, and a claim made there meanwhile (R2.3)', async () => {
    signIn();
    await openSplit();
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    await waitFor(() =>
      expect(hourIn(part(2), 18).getAttribute('aria-label')).toBe(
        'SS+18, taken: conflicts with existing claim (Arden Vale, SS+18 to SS+22)',
      ),
    );
    expect(hourIn(part(2), 17).getAttribute('aria-label')).toBe('SS+17, max 1h available');
    expect(hourIn(part(1), 18).getAttribute('aria-disabled')).toBeNull();
    const late = aClaimOnRespawn({
      id: 7,
      character_name: 'Late Lena',
      respawn_id: 2,
      hour_start: 15,
      hour_end: 16,
    });
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: late }] }),
    );
    expect(part(2).getByRole('alert').textContent).toMatch(
      /^Split part 2: Time conflict detected for Sat 21 Nov at SS\+14\. There is already a claim that overlaps this time\.Late Lena has/,
    );
    expect(apply()).toHaveProperty('disabled', true);
  });

  test('offer a fitting duration beside a start that only a shorter one allows, one press away, with the focus on it', async () => {
    signIn();
    await openSplit();
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    await waitFor(() => expect(hourIn(part(2), 18).getAttribute('aria-disabled')).toBe('true'));
    const offers = (): (string | null)[] =>
      part(2)
        .queryAllByRole('button', { name: /^Take / })
        .map((button) => button.textContent);
    expect(offers()).toEqual([]);
    await userEvent.click(hourIn(part(2), 17));
    expect(part(2).getByText('SS+17, max 1h available')).toBeTruthy();
    expect(offers()).toEqual(['SS+17, 1 h', 'SS+16, 2 h']);
    await userEvent.click(part(2).getByRole('button', { name: 'Take SS+17, 1 h' }));
    expect(hourIn(part(2), 17).getAttribute('aria-pressed')).toBe('true');
    expect(part(2).getByRole('radio', { name: '1 h' })).toHaveProperty('checked', true);
    expect(document.activeElement).toBe(hourIn(part(2), 17));
    expect([offers(), part(1).queryAllByRole('button', { name: /^Take / })]).toEqual([[], []]);
    expect(apply()).toHaveProperty('disabled', false);
  });

  test('offer the remaining hours when another member takes those of one', async () => {
    signIn();
    await openSplit();
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    const late = aClaimOnRespawn({
      id: 7,
      character_name: 'Late Lena',
      respawn_id: 2,
      hour_start: 15,
      hour_end: 16,
    });
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: late }] }),
    );
    expect(part(2).getByRole('button', { name: 'Take SS+14, 1 h' })).toBeTruthy();
    await userEvent.click(part(2).getByRole('button', { name: 'Take SS+13, 2 h' }));
    expect(part(2).queryByRole('alert')).toBeNull();
  });

  test('an open list of spots closes before the dialog does', async () => {
    signIn();
    await openSplit();
    const box = part(2).getByRole('combobox', { name: 'Spot, part 2' });
    await userEvent.click(box);
    await userEvent.keyboard('{Escape}');
    expect(box.getAttribute('aria-expanded')).toBe('false');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('a split date', () => {
  const split = async (): Promise<void> => {
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    await userEvent.click(apply());
  };

  test('shows both parts, is submitted as one claim, and the focus returns', async () => {
    server.on('POST', '/claims', () =>
      ok(
        [1, 2].map((part) => claimRowOf({ id: 9, is_split_claim: 1, split_part_number: part })),
        201,
      ),
    );
    signIn();
    await openSplit('?respawn=1&hour=3');
    await split();
    expect(document.activeElement?.textContent).toBe('Change the split');
    const lines = screen.getByRole('list', { name: 'Split claim' }).textContent;
    expect(lines).toBe('Part 1Cobra BastionSS+3 to SS+5Part 2Fire LibrarySS+5 to SS+7');
    expect(screen.getByText('Part 2: Fire Library')).toBeTruthy();
    expect(screen.queryByRole('group', { name: /^Start hour/ })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Submit 1 claim' }));
    await screen.findByText('Claims Submitted Successfully!');
    expect(server.made('POST', '/claims')[0]?.body).toMatchObject({
      claims: [
        {
          is_split_claim: 1,
          respawn_id: 1,
          date: '2026-11-21',
          split_parts: [
            { part_number: 1, respawn_id: 1, hour_start: 3, duration: 2 },
            { part_number: 2, respawn_id: 2, hour_start: 5, duration: 2 },
          ],
        },
      ],
    });
    // "Success panel: … with the character, respawn, number of claims and time".
    expect(screen.getByText('Claims', { selector: 'dt' }).nextElementSibling?.textContent).toBe(
      '1, with 2 parts',
    );
  });

  test('becomes a regular claim again, with the hours it had', async () => {
    signIn();
    await openSplit('?respawn=1&hour=3');
    await split();
    await press('Cancel split');
    expect(screen.queryByText('Part 2: Fire Library')).toBeNull();
    expect(hourIn(screen, 3).getAttribute('aria-pressed')).toBe('true');
    expect(document.activeElement).toBe(hourIn(screen, 3));
    expect(screen.getByRole('button', { name: 'Split in two' })).toBeTruthy();
  });

  test('keeps its parts when another member takes the hours of one, and says which', async () => {
    signIn();
    await openSplit();
    await split();
    const late = aClaimOnRespawn({
      id: 7,
      character_name: 'Late Lena',
      respawn_id: 2,
      hour_start: 15,
      hour_end: 16,
    });
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: late }] }),
    );
    expect(screen.getByRole('alert').textContent).toMatch(/^Split part 2: Time conflict detected/);
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
    await press('Change the split');
    await userEvent.click(hourIn(part(2), 16));
    await userEvent.click(apply());
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
  });

  test('needs no other spot than those of its parts', async () => {
    server.on('POST', '/claims', () => ok([claimRowOf({ id: 9 })], 201));
    signIn();
    await openSplit('');
    await chooseSpot(part(1), 'Spot, part 1', 'Ice Library');
    await split();
    expect(screen.getByText('Every date is split: each part has its own spot.')).toBeTruthy();
    await userEvent.click(submitButton());
    expect(await screen.findByText('Claims Submitted Successfully!')).toBeTruthy();
  });
});

test('split and secondary claims are explained beside their buttons', () => {
  signIn(
    { member_type: [memberTypeOf({ member_type: 'elite', allow_secondary_claims: 1 })] },
    'elite',
  );
  showSubmitPage('?respawn=1');
  expect(descriptionOf(screen.getByRole('button', { name: 'Help: Split claim' }))).toMatch(
    /^A split claim divides/,
  );
  expect(descriptionOf(screen.getByRole('button', { name: 'Help: Secondary claim' }))).toMatch(
    /^A secondary claim marks/,
  );
});

test('a one-hour voucher cannot be split, and the button says why (R5.1)', () => {
  signIn({ member_type: [memberTypeOf({ voucher_duration_hours: 1 })] });
  showSubmitPage('?respawn=1');
  const button = screen.getByRole('button', { name: 'Split in two' });
  expect(button).toHaveProperty('disabled', true);
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    "A one-hour voucher can't be split.",
  );
});

test('in a single_claim event a part conflicts on any of its dates, in the words for an event', async () => {
  server.on('GET', '/respawns/2/claims?', () =>
    ok([
      onItsDate(
        claimRowOf({ id: 3, respawn_id: 2, date: '2026-11-22', hour_start: 14, hour_end: 15 }),
      ),
    ]),
  );
  signIn({
    event: [eventOf({ type: 'single_claim', start_time: '2026-11-20', end_time: '2026-11-22' })],
  });
  await openSplit();
  await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
  await waitFor(() =>
    expect(part(2).getByRole('alert').textContent).toMatch(
      /^Split part 2: Time conflict detected for Sun 22 Nov at SS\+14\. There is already a claim that overlaps this time for this respawn\./,
    ),
  );
});
