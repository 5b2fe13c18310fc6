import type { Feature } from '../../feature.ts';
import { entriesDue, holdsDue, quietHoursDue, restartOverlongHolds } from './deadlines.ts';
import { retypeEntries } from './entries.ts';
import { failedOffersRetried, offerInWrites } from './offer-freed-hours.ts';
import { waitUndo } from './restore.ts';
import { waitRoutes } from './routes.ts';
import { waitRecords } from './waitlist-store.ts';

export const waitlist: Feature = {
  name: 'waitlist',
  routes: waitRoutes,
  records: { wait: waitRecords },
  jobs: [restartOverlongHolds],
  deadlines: [holdsDue, entriesDue, quietHoursDue, failedOffersRetried],
  hooks: [offerInWrites, retypeEntries],
  undo: [waitUndo],
};
