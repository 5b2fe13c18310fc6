import type { ClaimOnDates, ClaimRow } from '../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import type { MemberType } from '../../../../shared/schemas/member-type.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { aClaimRow, anActiveEvent, aRespawn, aType } from '../../../test/records.ts';

/** The records of the tests' board; each test changes the ones it needs. */

const ANKRAHMUN = { category_id: 2, category_name: 'Ankrahmun' };
const IMAGE = '/assets/respawns/cobra-bastion.gif';

export const respawnOf = (change: Partial<Respawn>): Respawn =>
  aRespawn({
    name: 'Cobra Bastion',
    image: 'cobra-bastion.gif',
    image_url: IMAGE,
    ...ANKRAHMUN,
    ...change,
  });

export const claimRowOf = (change: Partial<ClaimRow>): ClaimRow =>
  aClaimRow({
    respawn_name: 'Cobra Bastion',
    respawn_image: 'cobra-bastion.gif',
    respawn_image_url: IMAGE,
    ...ANKRAHMUN,
    ...change,
  });

/** In the format of the call for many dates. */
export const onItsDate = (
  row: ClaimRow,
  first_date = row.date ?? '',
  last_date = first_date,
): ClaimOnDates => ({
  ...row,
  first_date,
  last_date,
});

export const eventOf = (change: Partial<Event>): Event =>
  anActiveEvent({ id: 5, start_time: '2026-11-15', end_time: '2026-11-28', ...change });

export const memberTypeOf = (change: Partial<MemberType>): MemberType => aType('member', change);
