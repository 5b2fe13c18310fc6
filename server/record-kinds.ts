import { activityRecords } from './activity/log.ts';
import { claimRecords, occupancyRecords } from './board/claims/board-view.ts';
import { eventTemplateRecords } from './board/event-copy/templates.ts';
import { categoryRecords } from './board/records/categories.ts';
import { configRecords } from './board/records/config.ts';
import { eventRecords } from './board/records/events.ts';
import { memberTypeRecords } from './board/records/member-types.ts';
import { respawnRecords } from './board/records/respawns.ts';
import { waitRecords } from './board/waitlist/waitlist-store.ts';
import type { RecordSources } from './live/record-kinds.ts';
import { accessKeyRecords, verifiedCodeRecords } from './members/records.ts';
import { destinationRecords } from './notifications/channels/channel.ts';

/** How the server reads the records of every kind in `shared/kinds.ts`. */
export const RECORD_SOURCES: RecordSources = {
  claim: claimRecords,
  respawn: respawnRecords,
  category: categoryRecords,
  member_type: memberTypeRecords,
  event: eventRecords,
  config: configRecords,
  wait: waitRecords,
  occupancy: occupancyRecords,
  access_key: accessKeyRecords,
  verified_code: verifiedCodeRecords,
  activity: activityRecords,
  destination: destinationRecords,
  event_template: eventTemplateRecords,
};
