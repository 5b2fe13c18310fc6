import { isSkippedForQuietHours, recheckQuietHours } from '../../board/waitlist/deadlines.ts';
import type { Feature } from '../../feature.ts';
import { forgetReminders, remindAtStart, remindBefore } from './reminders.ts';
import { pushRoutes } from './routes.ts';
import { pushListener } from './schedule.ts';
import { sendPush } from './send.ts';
import type { Delivering } from './web-push.ts';

export const push: Feature<Delivering> = {
  name: 'push',
  routes: pushRoutes({ isSkipped: isSkippedForQuietHours, onChange: recheckQuietHours }),
  jobs: [sendPush, remindBefore, remindAtStart, forgetReminders],
  listeners: [pushListener],
};
