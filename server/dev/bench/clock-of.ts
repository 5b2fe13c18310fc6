/** The clock that a snapshot begins with. @throws Error when it does not */
export function clockOf(snapshot: string): number {
  const [, clock] = /"clock":(\d+)/.exec(snapshot) ?? [];
  if (clock === undefined) throw new Error(`this is no snapshot: ${snapshot.slice(0, 200)}`);
  return Number(clock);
}
