import type { z } from 'zod';
import type { Config, configChange } from '../../shared/schemas/config.ts';
import { recordActivity } from '../activity/record.ts';
import type { Context } from '../context.ts';
import { write } from '../db/write.ts';
import type { Admin } from '../http/credentials.ts';
import { readConfig } from './queries.ts';

/** Changes the settings that are given: whether members may submit claims. */
export function updateConfig(ctx: Context, admin: Admin, { submission_enabled }: z.output<typeof configChange>): Promise<Config> {
  return write(ctx, async (tx, changes) => {
    const before = await readConfig(ctx, tx);
    if (submission_enabled !== undefined) await tx.updateTable('config').set({ submission_enabled }).execute();
    const record = await readConfig(ctx, tx);
    changes.put({ kind: 'config', record });
    await recordActivity(ctx, tx, changes, admin, 'config_updated', {
      changed: { submission_enabled: { from: before.submission_enabled, to: record.submission_enabled } },
    });
    return record;
  });
}
