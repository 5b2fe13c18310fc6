import { Fragment, type ReactNode, useEffect, useState } from 'react';
import styles from './statistics.module.css';

export interface Bar {
  value: number;
  /** The label at its end: "12 h". */
  words: string;
  /** A member type's; without it the one of choices. */
  color?: string;
  /** Of its fill; position and words tell a group's bars apart, too. */
  opacity?: number;
}
export interface BarGroup {
  /** On its own line above the bars, so that no name is cut. */
  name: string;
  /** The viewer's own. */
  isMine?: boolean;
  bars: readonly Bar[];
}

const NAME_PX = 20;
const BAR_PX = 14;
const GAP_PX = 10;
/** The estimated width of a character in the margin beside the longest bar. */
const CHARACTER_PX = 7.5;

const heightOf = (groups: readonly BarGroup[]): number =>
  groups.reduce((sum, { bars }) => sum + NAME_PX + bars.length * BAR_PX + GAP_PX, 0);

export function Bars({ groups, label }: { groups: readonly BarGroup[]; label: string }): ReactNode {
  const bars = groups.flatMap((group) => group.bars);
  const labelMargin = Math.max(...bars.map(({ words }) => words.length)) * CHARACTER_PX + 8;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <Drawing label={label} height={heightOf(groups)}>
      {(width) =>
        groups.map((group, at) => {
          const top = heightOf(groups.slice(0, at));
          return (
            <g key={top} transform={`translate(1,${top})`}>
              <text
                x={0.5}
                y={NAME_PX / 2 + 0.5}
                dy="0.32em"
                fontWeight={group.isMine ? 650 : undefined}
              >
                {group.name}
              </text>
              {group.bars.map(({ value, words, color = 'var(--chosen)', opacity }, nth) => {
                const length = (value / most) * (width - labelMargin - 1);
                const y = NAME_PX + nth * BAR_PX;
                return (
                  <Fragment key={y}>
                    <rect
                      y={y + 1}
                      width={length}
                      height={BAR_PX - 2}
                      rx={2}
                      fill={color}
                      fillOpacity={opacity}
                      stroke={group.isMine ? 'var(--mine)' : color}
                      strokeWidth={group.isMine ? 2 : 1}
                    />
                    <text x={length + 6.5} y={y + BAR_PX / 2 + 0.5} dy="0.32em">
                      {words}
                    </text>
                  </Fragment>
                );
              })}
            </g>
          );
        })
      }
    </Drawing>
  );
}

const HEIGHT_PX = 320;
const MARGIN_PX = { top: 12, right: 16, bottom: 28, left: 44 };
const FLOOR_PX = HEIGHT_PX - MARGIN_PX.bottom;
/** Between columns and beside them, as a share of the distance between two columns. */
const PADDING = 0.15;
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
  const top = roundUp(Math.max(1, ...columns.map(({ value }) => value)));
  const step = roundStep(top / 4);
  const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step);
  const yOf = (value: number): number => FLOOR_PX - (value / top) * (FLOOR_PX - MARGIN_PX.top);
  return (
    <Drawing label={label} height={HEIGHT_PX}>
      {(width) => {
        const right = width - MARGIN_PX.right;
        const room = right - MARGIN_PX.left;
        // In whole pixels, so that all columns and gaps are alike.
        const distance = Math.floor(room / (columns.length + PADDING));
        const taken = distance * (columns.length - PADDING);
        const first = Math.round(MARGIN_PX.left + (room - taken) / 2);
        const columnWidth = Math.round(distance * (1 - PADDING));
        const line = (y: number, stroke: string): ReactNode => (
          <line key={y} x1={MARGIN_PX.left} x2={right} y1={y} y2={y} stroke={stroke} />
        );
        return (
          <>
            {ticks.map((value) => line(yOf(value) + 0.5, 'var(--line-strong)'))}
            {columns.map(({ name, value }, at) => (
              <rect
                key={name}
                x={first + at * distance}
                y={yOf(value)}
                width={columnWidth}
                height={FLOOR_PX - yOf(value)}
                fill="var(--chosen)"
              />
            ))}
            {line(FLOOR_PX + 0.5, 'var(--muted)')}
            <g fill="var(--muted)" textAnchor="middle">
              {columns.map(({ name }, at) =>
                at % labelStep(width) === 0 ? (
                  <text
                    key={name}
                    x={first + at * distance + columnWidth / 2 + 0.5}
                    y={FLOOR_PX + 9.5}
                    dy="0.71em"
                  >
                    {name}
                  </text>
                ) : null,
              )}
            </g>
            <g fill="var(--muted)" textAnchor="end">
              {ticks.filter(Number.isInteger).map((value) => (
                <text key={value} x={MARGIN_PX.left - 8.5} y={yOf(value) + 0.5} dy="0.32em">
                  {value}
                </text>
              ))}
            </g>
          </>
        );
      }}
    </Drawing>
  );
}

/** The closest 1, 2 or 5 times a power of ten, by ratio. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = step / power;
  const rounded =
    factor >= Math.sqrt(50) ? 10 : factor >= Math.sqrt(10) ? 5 : factor >= Math.sqrt(2) ? 2 : 1;
  return rounded * power;
}

/** The end of an axis for whole numbers up to this one: a multiple of about its tenth. */
function roundUp(value: number): number {
  const step = Math.max(1, roundStep(value / 10));
  const up = Math.ceil(value / step) * step;
  // A higher end may have a larger step.
  return up === value ? value : roundUp(up);
}

/** The minimum width, also where nothing is laid out. */
const MIN_WIDTH_PX = 240;

interface DrawingProps {
  /** For screen readers. */
  label: string;
  /** In pixels, known in advance so that the layout doesn't shift. */
  height: number;
  /** @param width in pixels */
  children: (width: number) => ReactNode;
}

/** An SVG as wide as there is room. */
function Drawing({ label, height, children }: DrawingProps): ReactNode {
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
  return (
    <div
      ref={setBox}
      role="img"
      aria-label={label}
      className={styles.drawing}
      style={{ minHeight: height }}
    >
      {width > 0 ? (
        <svg
          aria-hidden="true"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          fill="var(--text)"
        >
          {children(width)}
        </svg>
      ) : null}
    </div>
  );
}
