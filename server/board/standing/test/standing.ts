import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { Claim } from '../../../../shared/schemas/claim.ts';
import type {
  StandingChange,
  StandingClaim,
  StandingInput,
} from '../../../../shared/schemas/standing-claim.ts';
import { asMember } from '../../../dev/test/builders.ts';
import type { TestApp } from '../../../dev/test/test-app.ts';
import { loadClaims } from '../../claims/claim-records.ts';

/** Saturdays SS+10 to SS+14 on spot 1, as the key's holder; the answer is the caller's to judge. */
export const postStanding = (app: TestApp, key: AccessKey, fields: Partial<StandingInput> = {}) =>
  app.api
    .post('/standing')
    .set(asMember(key))
    .send({ respawn_id: 1, weekdays: [6], hour_start: 10, hour_end: 14, ...fields });

export async function aStanding(
  app: TestApp,
  key: AccessKey,
  fields: Partial<StandingInput> = {},
): Promise<StandingClaim> {
  return (await postStanding(app, key, fields).expect(201)).body.data;
}

export const putStanding = (
  app: TestApp,
  key: AccessKey,
  { id, ...change }: Partial<StandingChange> & { id: number },
) => app.api.put(`/standing/${id}`).set(asMember(key)).send(change);

export async function listStanding(app: TestApp, key: AccessKey): Promise<StandingClaim[]> {
  return (await app.api.get('/standing').set(asMember(key)).expect(200)).body.data;
}

export async function allowStanding(app: TestApp, settings: object = {}): Promise<void> {
  await app.api
    .put('/admin/config')
    .set(app.admin)
    .send({ standing_enabled: 1, ...settings })
    .expect(200);
}

/** The claims that standing claims made for a character, by date. */
export async function claimsOf(
  { ctx }: TestApp,
  { character_name }: Pick<AccessKey, 'character_name'>,
): Promise<Claim[]> {
  const made = ctx.db
    .selectFrom('claims')
    .select('id')
    .where('character_name', '=', character_name)
    .where('standing_id', 'is not', null);
  const ids = (await made.execute()).map(({ id }) => id);
  const claims = await loadClaims(ctx.db, { type: 'ids', ids });
  return claims.sort((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1));
}

export const datesOf = async (
  app: TestApp,
  key: Pick<AccessKey, 'character_name'>,
): Promise<(string | null)[]> => (await claimsOf(app, key)).map(({ date }) => date);
