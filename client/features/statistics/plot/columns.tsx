import { axisX, axisY, barY, gridY, plot, ruleY } from '@observablehq/plot';
import type { ReactNode } from 'react';
import { Drawing } from './drawing.tsx';

/** In pixels. */
const HEIGHT = 320;
/** Every so many columns one is named; on a phone there is room for fewer. */
const namedOf = (width: number): number => (width < 420 ? 6 : 4);

/** Columns that stand side by side, in the order they come in. */
export function Columns({ columns, label }: { columns: readonly { name: string; value: number }[]; label: string }): ReactNode {
  return (
    <Drawing
      label={label}
      height={HEIGHT}
      of={columns}
      draw={(width) =>
        plot({
          width,
          height: HEIGHT,
          marginTop: 12,
          marginRight: 16,
          marginBottom: 28,
          marginLeft: 44,
          x: { type: 'band', domain: columns.map(({ name }) => name), padding: 0.15 },
          y: { domain: [0, Math.max(1, ...columns.map(({ value }) => value))], nice: true },
          marks: [
            gridY({ stroke: 'var(--line-strong)', strokeOpacity: 1, ticks: 4 }),
            barY(columns, { x: 'name', y: 'value', fill: 'var(--chosen)' }),
            ruleY([0], { stroke: 'var(--muted)' }),
            axisX({
              label: null,
              tickSize: 0,
              ticks: columns.filter((_, at) => at % namedOf(width) === 0).map(({ name }) => name),
              fill: 'var(--muted)',
            }),
            axisY({
              label: null,
              tickSize: 0,
              ticks: 4,
              tickFormat: (value: number) => (Number.isInteger(value) ? String(value) : ''),
              fill: 'var(--muted)',
            }),
          ],
        })
      }
    />
  );
}
