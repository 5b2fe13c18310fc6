import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import type { Config, configChange } from '../../../shared/schemas/config.ts';
import { perSetting, SETTING_NAMES } from '../../../shared/settings.ts';
import { changedFields, logActivity } from '../../auth/activity-log.ts';
import { domainEvents } from '../../db/domain-events.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { changeConfirming } from '../claims/confirm.ts';
import { endAllTransfers } from '../end-transfers.ts';
import { freedHours } from '../freed-hours.ts';
import { changedSettings, readConfig } from '../records/guild.ts';
import { makeSoon } from '../standing/make-job.ts';

type Change = z.output<typeof configChange>;

function withChange(config: Config, change: Change): Config {
  const { guild_name = config.guild_name, ...settings } = change;
  const given = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  );
  return { ...config, ...given, guild_name: guild_name || null };
}

/** Changes the given settings. @throws DomainError online.manual, facts.manual */
export async function updateConfig(ctx: Writing, admin: Admin, change: Change): Promise<Config> {
  const known = await readConfig(ctx, ctx.db);
  if (isDeepStrictEqual(withChange(known, change), known)) return known;
  return write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const before = await readConfig(ctx, tx);
    const record = withChange(before, change);
    if (record.online_enabled && !before.online_enabled && record.character_check === 'manual')
      throw new DomainError('online.manual');
    if (record.facts_enabled && !before.facts_enabled && record.character_check === 'manual')
      throw new DomainError('facts.manual');
    const { submission_enabled, confirm_enabled, grace_minutes, guild_name } = record;
    await tx
      .updateTable('config')
      .set(
        perSetting(
          (name) => record[name],
          (name) => record[name],
        ),
      )
      .execute();
    if (confirm_enabled !== before.confirm_enabled || grace_minutes !== before.grace_minutes)
      await changeConfirming(unit, record);
    const isMoreAhead = record.standing_days_ahead > before.standing_days_ahead;
    if (record.standing_enabled && (!before.standing_enabled || isMoreAhead)) await makeSoon(unit);
    if (before.transfers_enabled && !record.transfers_enabled)
      await endAllTransfers({ ...unit, actor: admin });
    // Stored only if an admin changes it: until then GUILD_NAME holds, even if it is set later.
    if (guild_name !== before.guild_name) {
      await tx
        .updateTable('config')
        .set({ guild_name: guild_name ?? '' })
        .execute();
    }
    changes.collect(freedHours).everywhere();
    changes.put({ kind: 'config', record });
    if (submission_enabled !== before.submission_enabled) {
      changes.collect(domainEvents).report({
        type: submission_enabled ? 'submission.opened' : 'submission.closed',
        data: { guild_name, submission_enabled },
      });
    }
    const changed = changedFields(before, record, [...SETTING_NAMES, 'guild_name']);
    for (const name of Object.keys(changed)) changes.collect(changedSettings).set(name, true);
    await logActivity(unit, admin, { action: 'config_updated', details: { changed } });
    return record;
  });
}
