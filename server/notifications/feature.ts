import { isSkippedForQuietHours, recheckQuietHours } from '../board/waitlist/deadlines.ts';
import type { Feature } from '../feature.ts';
import { noticeListener } from './notices/listener.ts';
import type { NoticeContext } from './notices/medium.ts';
import { deletePreferencesOfTraded } from './notices/preferences.ts';
import { forgetReminders, remindAtStart, remindBefore } from './notices/reminders.ts';
import { preferenceRoutes } from './notices/routes.ts';

/** Notices to members, by the media of other features. */
export const notices: Feature<NoticeContext> = {
  name: 'notices',
  routes: preferenceRoutes({ isSkipped: isSkippedForQuietHours, onChange: recheckQuietHours }),
  jobs: [remindBefore, remindAtStart, forgetReminders],
  hooks: [deletePreferencesOfTraded],
  listeners: [noticeListener],
};
