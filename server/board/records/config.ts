import { eventDate } from '../../../shared/rules/event-period.ts';
import { type Config, type ConfigAnswer, config } from '../../../shared/schemas/config.ts';
import { DEFAULT_VOUCHER_HOURS } from '../../../shared/schemas/member-type.ts';
import { SETTING_NAMES } from '../../../shared/settings.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Db, Reader, Tx } from '../../db/database.ts';
import type { Env } from '../../env.ts';
import { recordSource } from '../../live/record-kinds.ts';
import { activePeriod } from './events.ts';

/** The configuration that everyone sees. */
export async function readConfig(ctx: { env: Env }, db: Db | Tx): Promise<Config> {
  const { guild_name, ...stored } = await db
    .selectFrom('config')
    .select([...SETTING_NAMES, 'guild_name'])
    .executeTakeFirstOrThrow();
  return {
    ...stored,
    board_visibility: ctx.env.BOARD_VISIBILITY,
    ...serverSaveClock(ctx),
    voucher_duration_hours: DEFAULT_VOUCHER_HOURS,
    horizon_days: ctx.env.HORIZON_DAYS,
    character_check: ctx.env.CHARACTER_CHECK,
    // Empty: an admin let every character verify, whatever GUILD_NAME says.
    guild_name: (guild_name ?? ctx.env.GUILD_NAME) || null,
  };
}

/** The configuration with the server's time and the active event's dates. */
export async function configAnswer(ctx: Reader & { env: Env; now: () => Date }): Promise<ConfigAnswer> {
  const [config, event] = await Promise.all([readConfig(ctx, ctx.db), activePeriod(ctx.db)]);
  return {
    ...config,
    server_time: ctx.now().toISOString(),
    start_date: event ? eventDate(event.start_time) : null,
    end_date: event ? eventDate(event.end_time) : null,
  };
}

export const configRecords = recordSource('config', {
  schema: config,
  read: async ({ tx, env }) => [await readConfig({ env }, tx)],
  order: () => 0,
});
