import { describe, expect, it } from 'vitest';
import { aMemberType } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, TODAY } from '../../dev/test/test-app.ts';

describe.each(databases)('member types on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('R6.1: are member, elite and vice at first, with their colours and defaults', async () => {
    const { body } = await expectNoTick(app, () => app.api.get('/member-types').expect(200));
    const systemType = (member_type: string, background_color: string) => ({
      member_type,
      background_color,
      voucher_duration_hours: 4,
      can_submit: 1,
      earliest_submission_date: TODAY,
      allow_secondary_claims: 1,
      is_system: 1,
      guild_ranks: [],
      max_hours_per_day: null,
      max_hours_per_event: null,
    });
    const data = [
      systemType('elite', '#805ad5'),
      systemType('member', '#3182ce'),
      systemType('vice', '#e53e3e'),
    ];
    expect(body).toEqual({ success: true, data });
  });

  it('are the same for admins, the system’s first', async () => {
    await aMemberType(app, { member_type: 'Captain', guild_ranks: ['Leader'] });
    const open = await app.api.get('/member-types');
    const admins = await app.api.get('/admin/member-types?t=1763').set(app.admin).expect(200);
    expect(admins.body).toEqual(open.body);
    expect(open.body.data.map((each: { member_type: string }) => each.member_type)).toEqual([
      'elite',
      'member',
      'vice',
      'Captain',
    ]);
    expect(open.body.data[3]).toMatchObject({ is_system: 0, guild_ranks: ['Leader'] });
  });
});
