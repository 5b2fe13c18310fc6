interface Switch {
  type: 'switch';
  default: 0 | 1;
}
interface Minutes {
  type: 'minutes';
  default: number;
  min: number;
  max: number;
  /** The switch under which the dialog shows it. */
  under: string;
}

/**
 * The guild's settings that admins change on the dashboard. The database's type, the API, the dialog and the activity log follow this
 * table; `server/board/config/README.md` lists what a new one needs. Without zod, for the board's first load.
 */
export const SETTINGS = {
  /** Members may submit claims. It has a control of its own in the dashboard's head. */
  submission_enabled: { type: 'switch', default: 1 },
  /** Members may join waitlists. */
  waits_enabled: { type: 'switch', default: 1 },
  /** Members may release the rest of their claims. */
  release_enabled: { type: 'switch', default: 0 },
  /** Holders must confirm their claims. */
  confirm_enabled: { type: 'switch', default: 0 },
  /** How long freed hours are held for the next on the waitlist. */
  hold_minutes: { type: 'minutes', default: 10, min: 1, max: 60, under: 'waits_enabled' },
  /** How long after a claim's start it can be confirmed. */
  grace_minutes: { type: 'minutes', default: 10, min: 0, max: 60, under: 'confirm_enabled' },
} as const satisfies Readonly<Record<string, Switch | Minutes>>;

type Settings = typeof SETTINGS;
export type Setting = keyof Settings;
type SwitchSetting = { [S in Setting]: Settings[S] extends Switch ? S : never }[Setting];
export type MinutesSetting = Exclude<Setting, SwitchSetting>;
export type SettingValues = { [S in SwitchSetting]: 0 | 1 } & { [S in MinutesSetting]: number };

const isSetting = (name: string): name is Setting => Object.hasOwn(SETTINGS, name);
const isSwitchSetting = (name: string): name is SwitchSetting => isSetting(name) && SETTINGS[name].type === 'switch';
const isMinutesSetting = (name: string): name is MinutesSetting => isSetting(name) && SETTINGS[name].type === 'minutes';

export const SETTING_NAMES: readonly Setting[] = Object.keys(SETTINGS).filter(isSetting);
export const SWITCH_SETTINGS: readonly SwitchSetting[] = SETTING_NAMES.filter(isSwitchSetting);
export const MINUTES_SETTINGS: readonly MinutesSetting[] = SETTING_NAMES.filter(isMinutesSetting);

/** Something for each setting, by its type. */
export function perSetting<S, M>(
  ofSwitch: (name: SwitchSetting) => S,
  ofMinutes: (name: MinutesSetting) => M,
): { [N in SwitchSetting]: S } & { [N in MinutesSetting]: M } {
  const made = Object.fromEntries(SETTING_NAMES.map((name) => [name, isSwitchSetting(name) ? ofSwitch(name) : ofMinutes(name)]));
  // All names are there, each with the value of its type.
  return made as { [N in SwitchSetting]: S } & { [N in MinutesSetting]: M };
}

export const DEFAULT_SETTINGS: Readonly<SettingValues> = perSetting<0 | 1, number>(
  (name) => SETTINGS[name].default,
  (name) => SETTINGS[name].default,
);
