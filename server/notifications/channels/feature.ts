import type { Feature } from '../../feature.ts';
import type { Sending } from '../outbound/post.ts';
import { destinationRecords } from './channel.ts';
import { channelListener, deleteOldEvents, measurePending } from './events.ts';
import { channelUndo } from './restore.ts';
import { channelRoutes } from './routes.ts';
import { sendEvents } from './send.ts';

export const channels: Feature<Sending> = {
  name: 'channels',
  routes: channelRoutes,
  records: { destination: destinationRecords },
  jobs: [sendEvents, deleteOldEvents],
  listeners: [channelListener],
  undo: [channelUndo],
  measure: measurePending,
};
