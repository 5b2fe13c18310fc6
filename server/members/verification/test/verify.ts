import { onTestFinished } from 'vitest';
import type {
  PendingCode,
  VerificationAnswer,
  VerifiedCode,
} from '../../../../shared/schemas/character.ts';
import type { databases } from '../../../dev/test/databases.ts';
import { createTestApp, NOW, type TestApp } from '../../../dev/test/test-app.ts';
import { type GameData, serveGameData } from './game-data.ts';

export type Dialect = (typeof databases)[number];

export interface Verifying {
  app: TestApp;
  data: GameData;
}

/** A source of the game's data that is gone when the test has finished. */
export async function startGameData(): Promise<GameData> {
  const data = await serveGameData();
  onTestFinished(data.close);
  return data;
}

/** A server whose source of the game's data is a local one. */
export async function verifying(
  dialect: Dialect,
  env: Record<string, string> = {},
): Promise<Verifying> {
  const data = await startGameData();
  return {
    app: await createTestApp(dialect, { env: { CHARACTER_API_URL: data.url, ...env } }),
    data,
  };
}

/** The server's clock, so many seconds after the start of the test. */
export const setSeconds = (app: TestApp, seconds: number): void =>
  app.setNow(new Date(Date.parse(NOW) + seconds * 1_000).toISOString());

export async function aCode(app: TestApp, character_name = 'Bubble'): Promise<PendingCode> {
  const answer = await app.api
    .post('/generate-verification-code')
    .send({ character_name })
    .expect(201);
  return answer.body.data;
}

export const check = (app: TestApp, characterName: string, verification_token?: string) =>
  app.api.post('/check-verification').send({ characterName, verification_token });

export async function checked(
  app: TestApp,
  characterName: string,
  verification_token?: string,
): Promise<VerificationAnswer> {
  const answer = await check(app, characterName, verification_token).expect(200);
  return answer.body.data;
}

/** The whole way: a code, the comment, the check. */
export async function verified(
  verifying: Verifying,
  name = 'Bubble',
): Promise<VerificationAnswer & { verification_token: string }> {
  const { code, verification_token } = await aCode(verifying.app, name);
  verifying.data.show({ name, comment: code });
  return { ...(await checked(verifying.app, name, verification_token)), verification_token };
}

export async function records(app: TestApp): Promise<VerifiedCode[]> {
  const answer = await app.api.get('/admin/verified-codes').set(app.admin).expect(200);
  return answer.body.data;
}

/** The actions of the activity log, the newest first. */
export async function actions(
  app: TestApp,
): Promise<{ action: string; admin_username: string | null; details: object }[]> {
  const answer = await app.api.get('/admin/activity-log').set(app.admin).expect(200);
  return answer.body.data.logs;
}

export const asAdmin = (app: TestApp, what: string, character_name: unknown) =>
  app.api.post(`/admin/${what}`).set(app.admin).send({ character_name });
