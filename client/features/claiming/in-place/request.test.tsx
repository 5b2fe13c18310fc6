import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aClaim, aConfig } from '../../../test/records.ts';
import {
  address,
  claimButton,
  popover,
  resetScene,
  setUpScene,
  show,
} from '../test/claim-scene.tsx';
import { dropRequest, requestClaim, useRequestedSpot } from './choose-hours.ts';

beforeEach(setUpScene);
afterEach(() => {
  dropRequest();
  resetScene();
});

const wantToClaim = (id: number): void => act(() => requestClaim(id));

test('a spot requested by name opens the panel at the first fitting hours, once', async () => {
  await show('/');
  wantToClaim(1);
  // Until SS+16 four hours are free before Mira's.
  expect(within(await popover()).getByText(/SS\+12 to SS\+16/)).toBeTruthy();
  expect(document.activeElement).toBe(await claimButton(4));
  expect(useRequestedSpot.getState().respawn_id).toBeNull();
});

test('in the timeline as well, from another day it waits for today', async () => {
  await show('/?view=timeline&date=2026-11-22');
  wantToClaim(1);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(useRequestedSpot.getState().respawn_id).toBe(1);
  act(() => screen.getByRole('button', { name: 'Back to today' }).click());
  expect(within(await popover()).getByText(/SS\+12 to SS\+16/)).toBeTruthy();
});

test('where nothing is free today, the form says so', async () => {
  await show('/', {
    claim: [
      aClaim({
        id: 1,
        respawn_id: 1,
        character_name: 'Mira Stormcrow',
        hour_start: 0,
        hour_end: 24,
      }),
    ],
  });
  wantToClaim(1);
  await waitFor(() => expect(address()).toBe('/input?respawn=1'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('while claims are closed the form says so', async () => {
  await show('/', { config: [aConfig({ submission_enabled: 0 })] });
  wantToClaim(1);
  await waitFor(() => expect(address()).toBe('/input?respawn=1'));
});
