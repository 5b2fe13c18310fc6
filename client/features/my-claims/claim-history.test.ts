import { expect, test } from 'vitest';
import type { EndedTransfer } from '../../../shared/schemas/transfer.ts';
import { anEnding } from '../../test/records.ts';
import { pastEntries } from './claim-history.tsx';

const PACIFIC = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 };

test('a claim for a whole event is dated by the server-save date of its end, not by the UTC date', () => {
  const beforeTheSave = anEnding({ id: 1, date: null, ended_at: '2026-11-21T08:59:00Z' });
  const afterTheSave = anEnding({ id: 2, date: null, ended_at: '2026-11-21T09:00:00Z' });
  const dated = anEnding({ id: 3, date: '2026-11-20', hour_start: 4 });
  const entries = pastEntries([beforeTheSave, afterTheSave, dated], [], PACIFIC);
  expect(entries.map(({ key, day }) => [key, day])).toEqual([
    ['claim 2', '2026-11-21'],
    ['claim 1', '2026-11-20'],
    ['claim 3', '2026-11-20'],
  ]);
});

test('so is an offer of a claim for a whole event: every line has a day, which its tooltip tells', () => {
  const offer: EndedTransfer = {
    id: 3,
    kind: 'handover',
    claim_id: 8,
    for_claim_id: null,
    from: 'Mira Stormcrow',
    to: 'Arden Vale',
    wanted: null,
    offered: {
      respawn_id: 2,
      respawn_name: 'Cobra Bastion',
      date: null,
      hour_start: 15,
      hour_end: 17,
    },
    created_at: '2026-11-20T21:00:00.000Z',
    expires_at: '2026-11-21T21:00:00.000Z',
    ended_at: '2026-11-21T08:59:00Z',
    outcome: 'refused',
  };
  const dated: EndedTransfer = {
    ...offer,
    id: 4,
    offered: { ...offer.offered, date: '2026-11-22' },
    outcome: 'expired',
  };
  expect(pastEntries([], [], PACIFIC, [offer, dated]).map(({ key, day }) => [key, day])).toEqual([
    ['transfer 4', '2026-11-22'],
    ['transfer 3', '2026-11-20'],
  ]);
});
