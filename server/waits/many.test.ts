import { describe, expect, it } from 'vitest';
import { nameKey } from '../../shared/rules/names.ts';
import { addDays } from '../../shared/rules/server-save.ts';
import { wrongCounts } from '../claims/recount.ts';
import { updateConfig } from '../config/operations.ts';
import { aName, changeUnheard } from '../test/builders.ts';
import { countingStatements } from '../test/counting-statements.ts';
import { databases } from '../test/databases.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../test/test-app.ts';
import { openWaits } from './queries.ts';

const ADMIN = { role: 'admin', admin_id: 1, username: 'admin', token_hash: '' } as const;

/** Lines that are asked at once when waiting is switched on again, of so many dates and so many members each. */
async function lines(app: TestApp, dates: number, members: number): Promise<void> {
  await updateConfig(app.ctx, ADMIN, { waits_enabled: 0 });
  const stretch = { hour_start: 10, hour_end: 14, min_hours: 1, member_type: 'member', status: 'waiting', position: 0 } as const;
  const rows = Array.from({ length: dates * members }, (_, n) => {
    const character_name = aName();
    const date = addDays(TODAY, 1 + (n % dates));
    return { ...stretch, respawn_id: 1, event_id: null, date, character_name, character_key: nameKey(character_name), created_at: NOW };
  });
  await changeUnheard(app, async (tx) => {
    for (let at = 0; at < rows.length; at += 500)
      await tx
        .insertInto('waits')
        .values(rows.slice(at, at + 500))
        .execute();
    await tx.updateTable('clock').set({ open_waits: rows.length }).execute();
  });
}

async function statementsOfSwitchingOn(app: TestApp): Promise<number> {
  const { ctx, count } = countingStatements(app.ctx);
  await updateConfig(ctx, ADMIN, { waits_enabled: 1 });
  return count();
}

describe.each(databases)('many lines on %s', (dialect) => {
  it('are served by as many statements as few', async () => {
    const [few, many] = [await createTestApp(dialect), await createTestApp(dialect)];
    await lines(few, 2, 2);
    await lines(many, 60, 12);
    const statements = await statementsOfSwitchingOn(few);
    expect(await statementsOfSwitchingOn(many)).toBeLessThanOrEqual(statements + 2);
    const waits = await openWaits(many.ctx.db);
    expect(waits.filter(({ status }) => status === 'offered')).toHaveLength(60);
    expect(
      waits.filter(({ status, position, held_claim_id }) => (status === 'offered') !== (position === 1 && held_claim_id !== null)),
    ).toEqual([]);
    expect(new Set(waits.map(({ position }) => position))).toEqual(new Set(Array.from({ length: 12 }, (_, n) => n + 1)));
    expect(await wrongCounts(many.ctx.db)).toEqual([]);
  });
});
