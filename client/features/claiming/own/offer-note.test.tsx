import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Transfer } from '../../../../shared/schemas/transfer.ts';
import { applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { OfferNote } from './offer-note.tsx';

const place = {
  respawn_id: 1,
  respawn_name: 'Fire Library',
  date: '2026-11-22',
  hour_start: 10,
  hour_end: 14,
};
const swap: Transfer = {
  id: 3,
  kind: 'swap',
  claim_id: 7,
  for_claim_id: 8,
  from: 'Arden Vale',
  to: 'Uxc Vice',
  offered: place,
  wanted: place,
  created_at: '2026-11-21T21:00:00.000Z',
  expires_at: '2026-11-21T23:23:00.000Z',
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  applySnapshot(1, { transfer: [swap] });
});
afterEach(() => {
  vi.useRealTimers();
  clearBoard();
  useSession.setState({ current: null, profiles: [] });
});

const notesOf = (characterName: string): (string | null)[] => {
  const profile = {
    characterName,
    memberType: 'member',
    accessKey: 'K',
    isVerified: true,
    createdAt: '',
  };
  useSession.setState({ status: 'ready', current: profile, profiles: [profile] });
  return [7, 8, 9].map((claim_id) => {
    const { container, unmount } = render(<OfferNote claim_id={claim_id} />);
    const text = container.textContent;
    unmount();
    return text;
  });
};

test('an open offer is on the claims of both members, and on no others', () => {
  const [own, wanted, other] = notesOf('Arden Vale');
  expect(own).toMatch(/^Offered to Uxc Vice until \d\d:23$/);
  expect([wanted, other]).toEqual(['', '']);
  const [offered, requested, none] = notesOf('Uxc Vice');
  expect(offered).toMatch(/^Offered to you until \d\d:23$/);
  expect(requested).toBe('Arden Vale offers you a swap');
  expect(none).toBe('');
});
