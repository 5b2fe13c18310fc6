import { pushPreferences, pushPreferencesChange } from '../../../shared/schemas/push.ts';
import { routeFor } from '../../http/router.ts';
import type { NoticeContext } from './medium.ts';
import { changePreferences, preferencesOf, type QuietHoursHook } from './preferences.ts';

const route = routeFor<NoticeContext>();

export const preferenceRoutes = (quietHours: QuietHoursHook) => [
  route(
    {
      method: 'get',
      path: '/push/preferences',
      access: 'member',
      summary: "Read the member's notification preferences and quiet hours",
      answer: pushPreferences,
    },
    async ({ ctx, caller: { character_key } }) =>
      (await preferencesOf(ctx.env, ctx.db, [character_key]))(character_key),
  ),
  route(
    {
      method: 'put',
      path: '/push/preferences',
      access: 'member',
      summary:
        "Change the given notification preferences; quiet hours are in the member's time zone and may pass midnight",
      body: pushPreferencesChange,
      answer: pushPreferences,
    },
    ({ ctx, caller, body }) =>
      changePreferences(ctx, caller.access_key, { change: body, quietHours }),
  ),
];
