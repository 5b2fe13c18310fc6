/** How a check ended. */
export type CheckState = 'ok' | 'warning' | 'failed';

/** Findings that every check can have. */
const COMMON = { tookTooLong: 'warning', broke: 'failed', notLooked: 'warning' } as const;

/**
 * Everything that is looked at, in its order, and what may be found. Each has its sentence, and where it is not well one that
 * says what to do: `admin.system.findings` and `admin.system.fixes`.
 */
export const FINDINGS = {
  settings: { ...COMMON, ok: 'ok', bad: 'failed', proxyNotTrusted: 'warning', mistyped: 'warning' },
  node: { ...COMMON, ok: 'ok', other: 'warning' },
  build: { ...COMMON, ok: 'ok', none: 'failed' },
  port: { ...COMMON, ok: 'ok', free: 'ok', taken: 'failed', notAllowed: 'failed' },
  files: {
    ...COMMON,
    ok: 'ok',
    missing: 'failed',
    notWritable: 'failed',
    foreign: 'failed',
    open: 'warning',
  },
  disk: { ...COMMON, ok: 'ok', low: 'warning', full: 'failed' },
  network: { ...COMMON, ok: 'ok', unknown: 'ok', elsewhere: 'ok', network: 'failed' },
  database: {
    ...COMMON,
    ok: 'ok',
    missing: 'failed',
    fileMissing: 'failed',
    logMissing: 'failed',
    logForeign: 'failed',
    away: 'failed',
    damaged: 'failed',
    empty: 'warning',
    older: 'warning',
    newer: 'failed',
  },
  clock: {
    ...COMMON,
    ok: 'ok',
    ahead: 'failed',
    behind: 'failed',
    database: 'failed',
    future: 'warning',
  },
  backup: {
    ...COMMON,
    ok: 'ok',
    elsewhere: 'ok',
    young: 'ok',
    none: 'failed',
    old: 'failed',
    off: 'warning',
    damaged: 'failed',
    notWritable: 'failed',
  },
  address: {
    ...COMMON,
    ok: 'ok',
    unset: 'warning',
    unknownName: 'failed',
    unreachable: 'failed',
    silent: 'failed',
    certificate: 'failed',
    redirect: 'failed',
    status: 'failed',
    stranger: 'failed',
    otherHost: 'failed',
    kept: 'failed',
    otherBuild: 'warning',
  },
  page: {
    ...COMMON,
    ok: 'ok',
    unset: 'ok',
    status: 'failed',
    stranger: 'failed',
    otherBuild: 'failed',
  },
  live: {
    ...COMMON,
    ok: 'ok',
    unset: 'ok',
    noUpgrade: 'failed',
    cut: 'failed',
    silent: 'failed',
    stranger: 'failed',
    refused: 'failed',
    otherBoard: 'failed',
    otherBuild: 'warning',
  },
  jobs: { ...COMMON, ok: 'ok', failing: 'warning', givenUp: 'warning', late: 'failed' },
  due: { ...COMMON, ok: 'ok', failing: 'failed', late: 'failed' },
  destinations: {
    ...COMMON,
    ok: 'ok',
    none: 'ok',
    paused: 'warning',
    off: 'warning',
    failing: 'warning',
  },
  integrity: { ...COMMON, ok: 'ok', damaged: 'failed', orphans: 'failed', index: 'failed' },
  occupancy: { ...COMMON, ok: 'ok', wrong: 'failed' },
  counts: { ...COMMON, ok: 'ok', wrong: 'failed' },
} as const satisfies Record<string, Record<string, CheckState>>;

export type CheckName = keyof typeof FINDINGS;
type CommonFinding = keyof typeof COMMON;
/** The possible findings of one check. */
export type FindingOf<N extends CheckName> = keyof (typeof FINDINGS)[N] & string;
type KeysWhere<N extends CheckName, S> = {
  [F in FindingOf<N>]: (typeof FINDINGS)[N][F] extends S
    ? F extends CommonFinding
      ? never
      : `${N}.${F}`
    : never;
}[FindingOf<N>];
/** A check and what it found, as its sentence is named. */
export type FindingKey =
  | { [N in CheckName]: KeysWhere<N, CheckState> }[CheckName]
  | `any.${CommonFinding}`;
/** The same where something is to be done. */
export type TodoKey =
  | { [N in CheckName]: KeysWhere<N, 'warning' | 'failed'> }[CheckName]
  | `any.${CommonFinding}`;

export const CHECK_NAMES = Object.keys(FINDINGS).filter(
  (name): name is CheckName => name in FINDINGS,
);

const isCommon = (finding: string): finding is CommonFinding => finding in COMMON;

/** How well it is where this was found; null for a finding of another version. */
export function stateOf(name: CheckName, finding: string): CheckState | null {
  const states: Readonly<Record<string, CheckState>> = FINDINGS[name];
  return states[finding] ?? null;
}

const KEYS: ReadonlyMap<string, CheckState> = new Map([
  ...Object.entries(COMMON).map(([finding, state]): [string, CheckState] => [
    `any.${finding}`,
    state,
  ]),
  ...Object.entries(FINDINGS).flatMap(([name, findings]) =>
    Object.entries(findings)
      .filter(([finding]) => !isCommon(finding))
      .map(([finding, state]): [string, CheckState] => [`${name}.${finding}`, state]),
  ),
]);
const isKey = (key: string): key is FindingKey => KEYS.has(key);
const isTodo = (key: string): key is TodoKey => KEYS.has(key) && KEYS.get(key) !== 'ok';

/** The locale keys of a finding and its fix; a finding of another version falls back to a generic one. */
export function findingKeys(
  name: string,
  finding: string,
): { text: FindingKey; todo: TodoKey | null } {
  const key = isCommon(finding) ? `any.${finding}` : `${name}.${finding}`;
  if (!isKey(key)) return { text: 'any.broke', todo: 'any.broke' };
  return { text: key, todo: isTodo(key) ? key : null };
}
