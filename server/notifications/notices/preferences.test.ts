import { describe, expect, it } from 'vitest';
import { aKey, asMember } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp } from '../../dev/test/test-app.ts';

const ALL = {
  hold_offered: 1,
  hunt_begins: 1,
  confirm_now: 1,
  claim_changed: 1,
  direct_hold_offered: 1,
  direct_hunt_begins: 0,
  direct_confirm_now: 1,
  direct_claim_changed: 0,
  quiet_from: null,
  quiet_until: null,
  time_zone: 'America/Los_Angeles',
};

describe.each(databases)('a member’s notification preferences on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('are all on until the member changes one; each character separately', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const ask = async (of: typeof key) =>
      (await app.api.get('/push/preferences').set(asMember(of)).expect(200)).body.data;
    const change = async (fields: object) =>
      (await app.api.put('/push/preferences').set(asMember(key)).send(fields).expect(200)).body
        .data;
    await expectNoTick(app, async () => {
      expect(await ask(key)).toEqual(ALL);
      expect(await change({ hunt_begins: false, time_zone: 'Europe/Berlin' })).toEqual({
        ...ALL,
        hunt_begins: 0,
        time_zone: 'Europe/Berlin',
      });
      const quiet = {
        ...ALL,
        hunt_begins: 0,
        time_zone: 'Europe/Berlin',
        quiet_from: '22:00',
        quiet_until: '07:30',
      };
      expect(await change({ quiet_from: '22:00', quiet_until: '07:30' })).toEqual(quiet);
      expect(await ask(key)).toEqual(quiet);
      expect(
        await change({
          quiet_from: null,
          quiet_until: null,
          hunt_begins: 1,
          access_key: key.key_value,
        }),
      ).toEqual({
        ...ALL,
        time_zone: 'Europe/Berlin',
      });
      expect(await ask(other)).toEqual(ALL);
      // A zone has one name in any spelling, and is stored once.
      expect(await change({ time_zone: 'eUROPE/lisbon' })).toMatchObject({
        time_zone: 'Europe/Lisbon',
      });
    });
  });

  it('has quiet hours with two ends or none, and a clock that there is', async () => {
    const key = await aKey(app);
    const put = (fields: object) =>
      app.api.put('/push/preferences').set(asMember(key)).send(fields);
    const ends = 'Choose a start and an end that differ, or clear both.';
    await expectNoTick(app, async () => {
      for (const fields of [
        { quiet_from: '22:00' },
        { quiet_from: '22:00', quiet_until: null },
        { quiet_from: '07:00', quiet_until: '07:00' },
      ]) {
        expectRefusal(await put(fields), 400, 'push.quietHours', ends, {});
      }
      for (const quiet_from of ['24:00', '7:00', '07:60', '٠٧:٠٠', 7]) {
        expectRefusal(
          await put({ quiet_from, quiet_until: '08:00' }),
          400,
          'push.quietHours',
          ends,
          { field: 'quiet_from' },
        );
      }
      for (const time_zone of ['Mars/Olympus', '+05:37', '', 'a'.repeat(61), 3]) {
        expectRefusal(await put({ time_zone }), 400, 'push.timeZone', 'Unknown time zone.', {
          field: 'time_zone',
        });
      }
    });
  });
});
