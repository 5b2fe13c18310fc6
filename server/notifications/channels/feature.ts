import type { Feature } from '../../feature.ts';
import { destinationRecords } from './channel.ts';
import { channelListener, deleteOldEvents, type Measuring, measurePending } from './events.ts';
import { channelUndo } from './restore.ts';
import { type ChannelContext, channelRoutes } from './routes.ts';
import { sendEvents } from './send.ts';

export const channels: Feature<ChannelContext & Measuring> = {
  name: 'channels',
  routes: channelRoutes,
  records: { destination: destinationRecords },
  jobs: [sendEvents, deleteOldEvents],
  listeners: [channelListener],
  undo: [channelUndo],
  measure: measurePending,
};
