/** The clock at the start of a snapshot. @throws Error if there is none */
export function clockOf(snapshot: string): number {
  const [, clock] = /"clock":(\d+)/.exec(snapshot) ?? [];
  if (clock === undefined) throw new Error(`this is no snapshot: ${snapshot.slice(0, 200)}`);
  return Number(clock);
}
