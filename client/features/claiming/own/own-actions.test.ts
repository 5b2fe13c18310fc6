import { describe, expect, test } from 'vitest';
import type { Transfer } from '../../../../shared/schemas/transfer.ts';
import type { OwnClaimRow } from '../../../state/own-claims.ts';
import { aClaimOnRespawn, aConfig, anActiveEvent } from '../../../test/records.ts';
import { type OwnFacts, ownActions } from './own-actions.ts';

/** 21:30 UTC, which is SS+12 of 21 November. */
const facts: OwnFacts = {
  settings: aConfig({
    release_enabled: 1,
    confirm_enabled: 1,
    grace_minutes: 40,
    transfers_enabled: 1,
    standing_enabled: 1,
  }),
  event: anActiveEvent(),
  transfers: [],
  isEnabled: () => true,
  isOffline: false,
  now: new Date('2026-11-21T21:30:00Z'),
  clock: { ss_time_zone: 'UTC', ss_hour: 9 },
};
const tomorrow = aClaimOnRespawn({ id: 7, date: '2026-11-22', hour_start: 10, hour_end: 14 });
const running = aClaimOnRespawn({ id: 7, date: '2026-11-21', hour_start: 12, hour_end: 16 });
const transfer: Transfer = {
  id: 3,
  kind: 'handover',
  claim_id: 7,
  for_claim_id: null,
  from: 'Arden Vale',
  to: 'Mira Stormcrow',
  wanted: null,
  offered: {
    respawn_id: 1,
    respawn_name: 'Fire Library',
    date: '2026-11-22',
    hour_start: 10,
    hour_end: 14,
  },
  created_at: '2026-11-21T21:00:00.000Z',
  expires_at: '2026-11-22T21:00:00.000Z',
};

/** The primary action, then the others. */
function idsOf(claim: OwnClaimRow, change: Partial<OwnFacts> = {}): (string | null)[] {
  const { primary, more } = ownActions(claim, { ...facts, ...change });
  return [primary?.id ?? null, ...more.map(({ id }) => id)];
}
const only = (...on: ('release_enabled' | 'transfers_enabled' | 'standing_enabled')[]) => ({
  settings: aConfig(Object.fromEntries(on.map((name) => [name, 1]))),
});

describe('the actions of an own claim', () => {
  const { now } = facts;
  test.each<[string, OwnClaimRow, Partial<OwnFacts>, (string | null)[]]>([
    ['upcoming', tomorrow, {}, ['release', 'handover', 'swap', 'weekly', 'copy']],
    ['running', running, {}, ['release', 'weekly', 'copy']],
    [
      'to be confirmed',
      { ...running, to_confirm: [1] },
      {},
      ['confirm', 'weekly', 'copy', 'release'],
    ],
    [
      'to be confirmed, before it begins',
      { ...running, hour_start: 13, to_confirm: [1] },
      { now: new Date('2026-11-21T21:50:00Z') },
      ['confirm', 'handover', 'swap', 'weekly', 'copy', 'release'],
    ],
    [
      'too early to confirm',
      { ...running, hour_start: 13, to_confirm: [1] },
      { now },
      ['release', 'handover', 'swap', 'weekly', 'copy'],
    ],
    ['in its last hour', { ...running, hour_end: 13 }, {}, ['weekly', 'copy']],
    ['over', { ...running, hour_start: 8, hour_end: 12 }, {}, [null]],
    ['held', { ...tomorrow, is_held: 1 }, {}, [null]],
    ['secondary', { ...tomorrow, is_secondary_claim: 1 }, {}, [null]],
    [
      'weekly already',
      { ...tomorrow, standing_id: 4 },
      {},
      ['release', 'handover', 'swap', 'copy'],
    ],
    ['split', { ...tomorrow, is_split_claim: 1 }, {}, ['release', 'handover', 'swap', 'copy']],
    ['offered', tomorrow, { transfers: [transfer] }, ['release', 'withdraw', 'weekly', 'copy']],
    [
      'wanted in return',
      tomorrow,
      { transfers: [{ ...transfer, claim_id: 8, for_claim_id: 7 }] },
      ['release', 'weekly', 'copy'],
    ],
    ['of a whole event', { ...tomorrow, date: null }, {}, [null, 'copy']],
    [
      'of a whole event that begins later',
      { ...tomorrow, date: null, first_date: '2026-12-10', last_date: '2026-12-12' },
      { event: null },
      [null, 'handover', 'swap', 'copy'],
    ],
    ['with release alone', tomorrow, only('release_enabled'), ['release', 'copy']],
    ['with weekly claims alone', tomorrow, only('standing_enabled'), ['weekly', 'copy']],
    [
      'with transfers alone',
      tomorrow,
      only('transfers_enabled'),
      [null, 'handover', 'swap', 'copy'],
    ],
    [
      'with transfers alone, offered',
      tomorrow,
      { ...only('transfers_enabled'), transfers: [transfer] },
      ['withdraw', 'copy'],
    ],
    [
      'on a disabled spot',
      tomorrow,
      { ...only('standing_enabled', 'release_enabled'), isEnabled: () => false },
      ['release', 'copy'],
    ],
    ['before the settings arrive', tomorrow, { settings: undefined }, [null, 'copy']],
  ])('%s', (_, claim, change, ids) => {
    expect(idsOf(claim, change)).toEqual(ids);
  });
});

test('a running claim is released in part, and says so', () => {
  expect(ownActions(running, facts).primary?.label).toBe('myClaims.release.rest');
  expect(ownActions(tomorrow, facts).primary?.label).toBe('myClaims.release.whole');
});

test('the withdrawal names the recipient', () => {
  const { more } = ownActions(tomorrow, { ...facts, transfers: [transfer] });
  expect(more[0]?.to).toBe('Mira Stormcrow');
});

test('an open offer is withdrawn also after the guild switched transfers off', () => {
  expect(idsOf(tomorrow, { settings: aConfig(), transfers: [transfer] })).toEqual([
    'withdraw',
    'copy',
  ]);
});

test('offline all are listed; those that call the server are blocked with the reason', () => {
  const { all } = ownActions(tomorrow, { ...facts, isOffline: true });
  expect(all.map(({ id, blocked }) => `${id}: ${blocked}`)).toEqual([
    'release: errors.network.failed',
    'handover: errors.network.failed',
    'swap: errors.network.failed',
    'weekly: errors.network.failed',
    'copy: null',
  ]);
});
