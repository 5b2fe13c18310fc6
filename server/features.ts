import { activity } from './activity/feature.ts';
import { admins } from './auth/feature.ts';
import { archive } from './board/archive/feature.ts';
import { categories } from './board/categories/feature.ts';
import { claimHistory } from './board/claim-history/feature.ts';
import { claims } from './board/claims/feature.ts';
import { configuration } from './board/config/feature.ts';
import { eventCopies } from './board/event-copy/feature.ts';
import { events } from './board/events/feature.ts';
import { memberTypes } from './board/member-types/feature.ts';
import { missedClaims } from './board/missed/feature.ts';
import { respawns } from './board/respawns/feature.ts';
import { standingClaims } from './board/standing/feature.ts';
import { stars } from './board/stars/feature.ts';
import { statistics } from './board/statistics/feature.ts';
import { transfers } from './board/transfers/feature.ts';
import { waitlist } from './board/waitlist/feature.ts';
import { jobs } from './jobs/feature.ts';
import { facts } from './members/facts/feature.ts';
import { members } from './members/feature.ts';
import { imports } from './members/import/feature.ts';
import { onlineInGame } from './members/online/feature.ts';
import { calendar } from './notifications/calendar/feature.ts';
import { boardMessages } from './notifications/channels/board-message/feature.ts';
import { channels } from './notifications/channels/feature.ts';
import { discordApp } from './notifications/discord-app/feature.ts';
import { discordSignIn } from './notifications/discord-sign-in/feature.ts';
import { notices } from './notifications/feature.ts';
import { push } from './notifications/push/feature.ts';
import { doctor } from './ops/doctor/feature.ts';
import { operation } from './ops/feature.ts';

/**
 * What the server consists of. The order counts where several take part: hooks run in it before a write's work and in reverse order after
 * it (a new day before deadlines, deadlines before offers), and undo restores in it (categories before the spots in them).
 */
export const features = [
  activity,
  configuration,
  jobs,
  // Its hook sees what the hooks of the features below changed.
  boardMessages,
  categories,
  memberTypes,
  respawns,
  admins,
  members,
  claims,
  events,
  eventCopies,
  waitlist,
  transfers,
  standingClaims,
  stars,
  claimHistory,
  missedClaims,
  onlineInGame,
  facts,
  archive,
  statistics,
  imports,
  channels,
  notices,
  push,
  discordApp,
  discordSignIn,
  calendar,
  operation,
  doctor,
];
