import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../shared/settings.ts';
import { anActiveEvent } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, NOW } from '../../dev/test/test-app.ts';

describe.each(databases)('the configuration on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it("is a bare object, public, with the server's time", async () => {
    const { body } = await expectNoTick(app, () => app.api.get('/config').expect(200));
    expect(body).toMatchObject({
      ...DEFAULT_SETTINGS,
      board_visibility: 'members',
      ss_time_zone: 'America/Los_Angeles',
      ss_hour: 1,
      voucher_duration_hours: 4,
      horizon_days: 60,
      character_check: 'tibiadata',
      guild_name: null,
      has_discord_app: 0,
      has_discord_sign_in: 0,
      notifications_paused: 0,
      is_demo: 0,
      server_time: NOW,
      start_date: null,
      end_date: null,
    });
    app.setNow('2026-12-24T00:00:00.500Z');
    expect((await app.api.get('/config')).body.server_time).toBe('2026-12-24T00:00:00.500Z');
  });

  it('R3.1: names the first and the last date of the active event, without times', async () => {
    const event = await anActiveEvent(app, {
      start_time: '2026-11-15T18:00',
      end_time: '2026-11-28 03:00',
    });
    expect((await app.api.get('/config')).body).toMatchObject({
      start_date: '2026-11-15',
      end_date: '2026-11-28',
    });
    await app.api.post(`/events/${event.id}/deactivate`).set(app.admin).expect(200);
    expect((await app.api.get('/config')).body).toMatchObject({ start_date: null, end_date: null });
  });

  it('R8.1: returns the settings', async () => {
    const env = { SS_TIME_ZONE: 'Europe/Berlin', SS_HOUR: '10', BOARD_VISIBILITY: 'public' };
    const berlin = await createTestApp(dialect, { env });
    expect((await berlin.api.get('/config')).body).toMatchObject({
      ss_time_zone: 'Europe/Berlin',
      ss_hour: 10,
      board_visibility: 'public',
    });
  });
});
