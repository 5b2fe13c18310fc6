import type {
  StandingChange,
  StandingClaim,
  StandingClaimCount,
  StandingInput,
  StandingOccurrence,
  StandingPreviewInput,
} from '../../shared/schemas/standing-claim.ts';
import { type Credentials, queryText, request } from './request.ts';

/** By a character's key, even if an admin is signed in; null: as the admin. */
const keyOf = (access_key: string | null): { as?: Credentials } =>
  access_key === null ? {} : { as: { access_key, admin_token: null } };

export const getStanding = (access_key: string, signal: AbortSignal): Promise<StandingClaim[]> =>
  request(`/standing?${queryText({})}`, { signal, ...keyOf(access_key) });
export const previewStanding = (
  standing: Partial<StandingPreviewInput>,
  access_key: string,
  signal: AbortSignal,
): Promise<StandingOccurrence[]> =>
  request('/standing/preview', { method: 'POST', body: standing, signal, ...keyOf(access_key) });
export const postStanding = (
  standing: Partial<StandingInput>,
  access_key: string,
): Promise<StandingClaim> =>
  request('/standing', { method: 'POST', body: standing, ...keyOf(access_key) });
export const putStanding = (
  id: number,
  change: Partial<StandingChange>,
  access_key: string | null,
): Promise<StandingClaim> =>
  request(`/standing/${id}`, { method: 'PUT', body: change, ...keyOf(access_key) });
/** How many claims `deleteStanding` would release. */
export const countStandingClaims = (
  id: number,
  access_key: string | null,
  signal: AbortSignal,
): Promise<StandingClaimCount> =>
  request(`/standing/${id}/claims?${queryText({})}`, { signal, ...keyOf(access_key) });
export const deleteStanding = (
  id: number,
  claims: 'keep' | 'release',
  access_key: string | null,
): Promise<void> =>
  request(`/standing/${id}?${queryText({ claims })}`, { method: 'DELETE', ...keyOf(access_key) });
