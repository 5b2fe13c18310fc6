import type { ReadModel } from '../../../live/read-model.ts';
import type { Sending } from '../../outbound/post.ts';

/** It posts to channels, and reads the board from memory. */
export interface BoardMessageContext extends Sending {
  readModel: Pick<ReadModel, 'snapshot'>;
}
