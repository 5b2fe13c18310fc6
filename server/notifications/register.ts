import type { JobKind } from '../jobs/job-kind.ts';
import { channelListener, deleteOldEvents } from './channels/events.ts';
import { sendEvents } from './channels/send.ts';
import { directMessageListener, forgetDirectMessages } from './discord-app/direct-messages.ts';
import { editDirect, sendDirect } from './discord-app/direct-send.ts';
import { forgetInteractions } from './discord-app/interactions.ts';
import type { EventListener } from './outbox.ts';
import { forgetReminders, remindAtStart, remindBefore } from './push/reminders.ts';
import { pushListener } from './push/schedule.ts';
import { sendPush } from './push/send.ts';

export const eventListeners: readonly EventListener[] = [
  channelListener,
  pushListener,
  directMessageListener,
];

export const notificationJobs: readonly JobKind<unknown>[] = [
  sendPush,
  remindBefore,
  remindAtStart,
  forgetReminders,
  sendEvents,
  deleteOldEvents,
  forgetInteractions,
  sendDirect,
  editDirect,
  forgetDirectMessages,
];
