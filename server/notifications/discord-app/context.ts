import type { AddressHash } from '../../http/client-address.ts';
import type { ChangeBus } from '../../live/bus.ts';
import type { ReadModel } from '../../live/read-model.ts';
import type { Sending } from '../outbound/post.ts';

/** The Discord app's context: it calls Discord, and reads the board from memory. */
export interface DiscordContext extends Sending {
  readModel: Pick<ReadModel, 'snapshot'>;
  bus: Pick<ChangeBus, 'listen' | 'onNewHistory'>;
  hashAddress: AddressHash;
}
