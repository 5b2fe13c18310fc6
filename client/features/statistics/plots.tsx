import { axisX, axisY, barY, gridY, plot, rect, ruleY, text } from '@observablehq/plot';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import styles from './statistics.module.css';

export interface Bar {
  value: number;
  /** The label at its end: "12 h". */
  words: string;
}
export interface BarGroup {
  /** On its own line above the bars, so that no name is cut. */
  name: string;
  bars: readonly Bar[];
}

const NAME_PX = 20;
const BAR_PX = 14;
const GAP_PX = 10;
/** The estimated width of a character in the margin beside the longest bar. */
const CHARACTER_PX = 7.5;
/** Fill opacities of a group's bars; their position and labels tell them apart, too. */
const SHADES = [1, 0.65, 0.35];

/** Horizontal bars, each group below its name. */
export function Bars({ groups, label }: { groups: readonly BarGroup[]; label: string }): ReactNode {
  const { names, bars, height } = layOut(groups);
  const labelMargin = Math.max(...bars.map(({ words }) => words.length)) * CHARACTER_PX + 8;
  return (
    <Drawing
      label={label}
      height={height}
      data={groups}
      draw={(width) =>
        plot({
          width,
          height,
          margin: 0,
          marginLeft: 1,
          marginRight: labelMargin,
          x: { axis: null, domain: [0, Math.max(1, ...bars.map(({ value }) => value))] },
          y: { type: 'identity', axis: null },
          marks: [
            rect(bars, {
              x1: 0,
              x2: 'value',
              y1: 'top',
              y2: 'bottom',
              fill: 'var(--chosen)',
              fillOpacity: 'shade',
              rx: 2,
            }),
            rect(bars, {
              x1: 0,
              x2: 'value',
              y1: 'top',
              y2: 'bottom',
              stroke: 'var(--chosen)',
              rx: 2,
            }),
            text(bars, {
              x: 'value',
              y: 'middle',
              text: 'words',
              dx: 6,
              textAnchor: 'start',
              fill: 'var(--text)',
            }),
            text(names, {
              frameAnchor: 'left',
              y: 'middle',
              text: 'name',
              textAnchor: 'start',
              fill: 'var(--text)',
            }),
          ],
          opacity: { type: 'identity', axis: null },
        })
      }
    />
  );
}

function layOut(groups: readonly BarGroup[]) {
  const names: { name: string; middle: number }[] = [];
  const bars: (Bar & { top: number; bottom: number; middle: number; shade: number })[] = [];
  let top = 0;
  for (const group of groups) {
    names.push({ name: group.name, middle: top + NAME_PX / 2 });
    top += NAME_PX;
    for (const [at, bar] of group.bars.entries()) {
      bars.push({
        ...bar,
        top: top + 1,
        bottom: top + BAR_PX - 1,
        middle: top + BAR_PX / 2,
        shade: SHADES[at] ?? 1,
      });
      top += BAR_PX;
    }
    top += GAP_PX;
  }
  return { names, bars, height: top };
}

const HEIGHT_PX = 320;
/** Every how many columns one is labelled; a phone has room for fewer. */
const labelStep = (width: number): number => (width < 420 ? 6 : 4);

/** Vertical columns, in the given order. */
export function Columns({
  columns,
  label,
}: {
  columns: readonly { name: string; value: number }[];
  label: string;
}): ReactNode {
  return (
    <Drawing
      label={label}
      height={HEIGHT_PX}
      data={columns}
      draw={(width) =>
        plot({
          width,
          height: HEIGHT_PX,
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
              ticks: columns.filter((_, at) => at % labelStep(width) === 0).map(({ name }) => name),
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

/** The minimum width, also where nothing is laid out. */
const MIN_WIDTH_PX = 240;

interface DrawingProps {
  /** For screen readers. */
  label: string;
  /** In pixels, known in advance so that the layout doesn't shift. */
  height: number;
  /** Redraws when it changes. */
  data: unknown;
  /** @param width in pixels */
  draw: (width: number) => Element;
}

/** A plot that is redrawn when its width changes. */
function Drawing({ label, height, data, draw }: DrawingProps): ReactNode {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box) return;
    const measure = (): void => setWidth(Math.max(MIN_WIDTH_PX, Math.floor(box.clientWidth)));
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    measure();
    return () => observer.disconnect();
  }, [box]);
  const drawNow = useEffectEvent(() => draw(width));
  // biome-ignore lint/correctness/useExhaustiveDependencies: other data needs another drawing
  useEffect(() => {
    if (!box || width === 0) return;
    const plot = drawNow();
    // The content security policy forbids inline styles; the page's own suffice.
    for (const style of plot.querySelectorAll('style')) style.remove();
    plot.setAttribute('aria-hidden', 'true');
    box.replaceChildren(plot);
  }, [box, width, data]);
  return (
    <div
      ref={setBox}
      role="img"
      aria-label={label}
      className={styles.drawing}
      style={{ minHeight: height }}
    />
  );
}
