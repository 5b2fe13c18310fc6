import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the server that is measured, before it (`node --import`): no part of the program. It tells its parent for
 * how long the event loop was held between `begin` and `end`.
 */

const RESOLUTION_MS = 5;
const NANO = 1e6;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

process.on('message', (asked) => {
  if (asked === 'begin') {
    delay.reset();
    delay.enable();
    process.send?.({ longest_ms: 0 });
  }
  // What has just held the loop is noted at its next turn.
  if (asked === 'end') setTimeout(tell, 4 * RESOLUTION_MS);
});
process.channel?.unref();

function tell(): void {
  delay.disable();
  process.send?.({ longest_ms: Math.max(0, delay.max / NANO - RESOLUTION_MS) });
}
