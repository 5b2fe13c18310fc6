import { channelListener } from './channels/listener.ts';
import type { EventListener } from './outbox.ts';
import { pushListener } from './push/listener.ts';

export const eventListeners: readonly EventListener[] = [channelListener, pushListener];
