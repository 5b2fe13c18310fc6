import { describe, expect, it, vi } from 'vitest';
import { aClaim, aKey, manyKeys, submit } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, TODAY } from '../../dev/test/test-app.ts';

const rules = vi.hoisted(() => ({ on: true }));

// The rule check is one line of defence; with it taken out, the occupancy rows have to hold alone.
vi.mock('../../../shared/rules/conflicts.ts', async (original) => {
  const conflicts = await original<typeof import('../../../shared/rules/conflicts.ts')>();
  return {
    ...conflicts,
    assertHoursAreFree: (...all: Parameters<typeof conflicts.assertHoursAreFree>) =>
      rules.on && conflicts.assertHoursAreFree(...all),
    assertCharacterIsFree: (...all: Parameters<typeof conflicts.assertCharacterIsFree>) =>
      rules.on && conflicts.assertCharacterIsFree(...all),
  };
});

const SENTENCE = `Time conflict detected for ${TODAY} at SS+10. There is already a claim that overlaps this time.`;

const PATIENCE_MS = 60_000;

describe.each(databases)('members who race for one hour on %s', (dialect) => {
  describe.each([
    { racers: 10, checked: true },
    { racers: 100, checked: true },
    { racers: 10, checked: false },
    { racers: 100, checked: false },
  ])('$racers at once, rule check on: $checked', ({ racers, checked }) => {
    it('R7.1: one gets it, the others get the documented sentence', async () => {
      rules.on = checked;
      // Long limits: no request may time out on a busy machine.
      const app = await createTestApp(dialect, { context: { queue: { waitsMs: PATIENCE_MS } } });
      const keys = await manyKeys(app, racers);
      const clock = app.ctx.bus.clock();
      const answers = await Promise.all(keys.map((key) => submit(app, key, aClaim(key))));
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
      const refused = answers.filter((answer) => answer.status === 409);
      expect(refused).toHaveLength(racers - 1);
      expect(new Set(refused.map((answer) => answer.body.error))).toEqual(new Set([SENTENCE]));
      const rows = await app.ctx.db.selectFrom('claims').selectAll().execute();
      expect(rows).toHaveLength(1);
      expect(app.ctx.bus.clock()).toBe(clock + 1);
    });
  });

  it('R7.2: one character who claims two spots at once gets one of them, also without the rule check', async () => {
    rules.on = false;
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((respawn_id) => submit(app, key, aClaim(key, { respawn_id }))),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body.code).toBe(
      'claim.characterHasClaim',
    );
  });
});
