import { describe, expect, it } from 'vitest';
import { aMemberType } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';
import {
  aCode,
  check,
  checked,
  setSeconds,
  verifying,
} from '../../members/verification/test/verify.ts';

const put = (app: TestApp, fields: object) =>
  app.api.put('/admin/config').set(app.admin).send(fields);
const publicName = async (app: TestApp): Promise<string | null> =>
  (await app.api.get('/config').expect(200)).body.guild_name;

describe.each(databases)('the guild whose members verify, on %s', (dialect) => {
  it("is the environment's until an admin sets another, or none", async () => {
    const app = await createTestApp(dialect, { env: { GUILD_NAME: 'Red Rose' } });
    expect(await publicName(app)).toBe('Red Rose');
    const answer = await put(app, { guild_name: '  Blue   Rose ' }).expect(200);
    expect(answer.body.data).toMatchObject({ guild_name: 'Blue Rose', submission_enabled: 1 });
    expect(await publicName(app)).toBe('Blue Rose');
    for (const noGuild of ['', '  ', null]) {
      await put(app, { guild_name: 'Blue Rose' }).expect(200);
      expect((await put(app, { guild_name: noGuild }).expect(200)).body.data.guild_name).toBeNull();
      expect(await publicName(app)).toBeNull();
    }
  });

  it('is sent to all watchers, and the log has only real changes', async () => {
    const app = await createTestApp(dialect);
    const { member, expectSynced } = await watching(app);
    const entries = await owedBy(app, async () => {
      await put(app, { guild_name: 'Red Rose', submission_enabled: 1 }).expect(200);
      await put(app, { guild_name: null, submission_enabled: false }).expect(200);
    });
    const guild = (from: string | null, to: string | null) => ({ guild_name: { from, to } });
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['config_updated', { changed: guild(null, 'Red Rose') }],
      [
        'config_updated',
        { changed: { submission_enabled: { from: 1, to: 0 }, ...guild('Red Rose', null) } },
      ],
    ]);
    await expectSynced();
    expect([...member.records('config').values()]).toMatchObject([
      { guild_name: null, submission_enabled: 0 },
    ]);
  });

  it('that is set as it is already writes nothing, and is still the environment’s', async () => {
    const app = await createTestApp(dialect, { env: { GUILD_NAME: 'Red Rose' } });
    await expectNoTick(app, async () => {
      for (const fields of [
        {},
        { guild_name: 'Red Rose' },
        { submission_enabled: true },
        { guild_name: ' Red  Rose', submission_enabled: 1 },
      ]) {
        expect((await put(app, fields).expect(200)).body.data).toMatchObject({
          guild_name: 'Red Rose',
          submission_enabled: 1,
        });
      }
      expectRefusal(
        await put(app, { guild_name: 'a'.repeat(61) }),
        400,
        'request.invalid',
        'The field “guild_name” is not valid.',
      );
      expectRefusal(
        await put(app, { guild_name: 7 }),
        400,
        'request.invalid',
        'The field “guild_name” is not valid.',
      );
    });
    await put(app, { submission_enabled: 0 }).expect(200);
    expect(await app.ctx.db.selectFrom('config').select('guild_name').execute()).toEqual([
      { guild_name: null },
    ]);
  });

  it('applies to a check that is already under way', async () => {
    const { app, data } = await verifying(dialect, { GUILD_NAME: 'Red Rose' });
    const leader = await aMemberType(app, { guild_ranks: ['Leader'] });
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code, guild: { name: 'Blue Rose', rank: 'Leader' } });
    const refused = async (guild_name: string) =>
      expectRefusal(
        await check(app, 'Bubble', verification_token),
        403,
        'verification.notInGuild',
        `Only members of ${guild_name} can verify a character here.`,
        { guild_name },
      );
    await refused('Red Rose');
    await put(app, { guild_name: 'Green Rose' }).expect(200);
    setSeconds(app, 60);
    await refused('Green Rose');
    await put(app, { guild_name: 'blue rose' }).expect(200);
    setSeconds(app, 120);
    expect(await checked(app, 'Bubble', verification_token)).toMatchObject({
      verified: true,
      memberType: leader,
    });
  });

  it('may be unset: every character can verify, and ranks give no type', async () => {
    const { app, data } = await verifying(dialect, { GUILD_NAME: 'Red Rose' });
    await aMemberType(app, { guild_ranks: ['Leader'] });
    await put(app, { guild_name: '' }).expect(200);
    const { code, verification_token } = await aCode(app);
    data.show({ name: 'Bubble', comment: code, guild: { name: 'My Own', rank: 'Leader' } });
    expect(await checked(app, 'Bubble', verification_token)).toMatchObject({
      verified: true,
      memberType: 'member',
    });
  });
});
