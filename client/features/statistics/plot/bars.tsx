import { plot, rect, text } from '@observablehq/plot';
import type { ReactNode } from 'react';
import { Drawing } from './drawing.tsx';

export interface Bar {
  value: number;
  /** At its end, with the value: "12 h". */
  words: string;
}
export interface BarGroup {
  /** Above its bars, in a line of its own: no name is cut. */
  name: string;
  bars: readonly Bar[];
}

/** In pixels. */
const NAME = 20;
const BAR = 14;
const BETWEEN = 10;
/** What a letter takes of the room beside the longest bar. */
const LETTER = 7.5;
/** Of the bars of a group: told apart by their place and their words, and by how much of them is filled. */
const SHADES = [1, 0.65, 0.35];

/** Bars that lie, each group below its name. */
export function Bars({ groups, label }: { groups: readonly BarGroup[]; label: string }): ReactNode {
  const { names, bars, height } = laidOut(groups);
  const room = Math.max(...bars.map(({ words }) => words.length)) * LETTER + 8;
  return (
    <Drawing
      label={label}
      height={height}
      of={groups}
      draw={(width) =>
        plot({
          width,
          height,
          margin: 0,
          marginLeft: 1,
          marginRight: room,
          x: { axis: null, domain: [0, Math.max(1, ...bars.map(({ value }) => value))] },
          y: { type: 'identity', axis: null },
          marks: [
            rect(bars, { x1: 0, x2: 'value', y1: 'top', y2: 'bottom', fill: 'var(--chosen)', fillOpacity: 'shade', rx: 2 }),
            rect(bars, { x1: 0, x2: 'value', y1: 'top', y2: 'bottom', stroke: 'var(--chosen)', rx: 2 }),
            text(bars, { x: 'value', y: 'middle', text: 'words', dx: 6, textAnchor: 'start', fill: 'var(--text)' }),
            text(names, { frameAnchor: 'left', y: 'middle', text: 'name', textAnchor: 'start', fill: 'var(--text)' }),
          ],
          opacity: { type: 'identity', axis: null },
        })
      }
    />
  );
}

function laidOut(groups: readonly BarGroup[]) {
  const names: { name: string; middle: number }[] = [];
  const bars: (Bar & { top: number; bottom: number; middle: number; shade: number })[] = [];
  let top = 0;
  for (const group of groups) {
    names.push({ name: group.name, middle: top + NAME / 2 });
    top += NAME;
    for (const [at, bar] of group.bars.entries()) {
      bars.push({ ...bar, top: top + 1, bottom: top + BAR - 1, middle: top + BAR / 2, shade: SHADES[at] ?? 1 });
      top += BAR;
    }
    top += BETWEEN;
  }
  return { names, bars, height: top };
}
