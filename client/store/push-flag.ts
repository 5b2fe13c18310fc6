import { create } from 'zustand';

const FLAG = 'push';

/** Whether anybody is told of anything in this browser: what looks after that is fetched only then. */
export const usePushFlag = create(() => ({ on: localStorage.getItem(FLAG) === 'on' }));

export function setPushFlag(on: boolean): void {
  if (on) localStorage.setItem(FLAG, 'on');
  else localStorage.removeItem(FLAG);
  usePushFlag.setState({ on });
}
