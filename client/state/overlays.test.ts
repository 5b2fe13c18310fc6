import { afterEach, expect, test } from 'vitest';
import { aClaim } from '../test/records.ts';
import { closePageOverlays, isOverlayOpen, openOverlay } from './overlays.ts';

afterEach(closePageOverlays);

test('of the overlays at a pressed element only the last press is open; dialogs stay', () => {
  const anchor = document.createElement('button');
  const claim = { ...aClaim(), split_group_id: null, split_part_number: null };
  const hours = { hour_start: 10, hour_end: 12 };
  openOverlay('help', {});
  openOverlay('joinWaitlist', { request: { respawn_id: 1, date: '2026-11-21', ...hours, anchor } });
  openOverlay('ownClaim', { claim, anchor, which: 'all' });
  expect(isOverlayOpen('joinWaitlist')).toBe(false);
  openOverlay('claimActions', { request: { claim, anchor } });
  expect(isOverlayOpen('ownClaim')).toBe(false);
  expect(isOverlayOpen('claimActions')).toBe(true);
  expect(isOverlayOpen('help')).toBe(true);
});
