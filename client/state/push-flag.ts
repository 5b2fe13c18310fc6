import { create } from 'zustand';
import { localStore } from '../lib/storage.ts';

const FLAG = 'push';

/** Whether this browser has a push subscription. The code that maintains it is only loaded then. */
export const usePushFlag = create(() => ({ on: localStore.getItem(FLAG) === 'on' }));

export function setPushFlag(on: boolean): void {
  if (on) localStore.setItem(FLAG, 'on');
  else localStore.removeItem(FLAG);
  usePushFlag.setState({ on });
}
