import { create } from 'zustand';
import { localStore } from '../lib/storage.ts';

const FLAG = 'push';

/** Whether anybody is told of anything in this browser: what looks after that is fetched only then. */
export const usePushFlag = create(() => ({ on: localStore.getItem(FLAG) === 'on' }));

export function setPushFlag(on: boolean): void {
  if (on) localStore.setItem(FLAG, 'on');
  else localStore.removeItem(FLAG);
  usePushFlag.setState({ on });
}
