interface Switch {
  type: 'switch';
  default: 0 | 1;
}
interface NumberSetting {
  type: 'number';
  default: number;
  min: number;
  max: number;
  /** The switch, or the number that is not 0, under which the dialog shows it. */
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
  /** Members may hand over and swap claims. */
  transfers_enabled: { type: 'switch', default: 0 },
  /** How long freed hours are held for the next on the waitlist. */
  hold_minutes: { type: 'number', default: 10, min: 1, max: 60, under: 'waits_enabled' },
  /** How long after a claim's start it can be confirmed. */
  grace_minutes: { type: 'number', default: 10, min: 0, max: 60, under: 'confirm_enabled' },
  /** No-shows within `no_show_days` after which a character can't claim for `no_show_pause_days`. 0: no limit. */
  no_show_limit: { type: 'number', default: 0, min: 0, max: 10, under: 'confirm_enabled' },
  no_show_days: { type: 'number', default: 14, min: 1, max: 90, under: 'no_show_limit' },
  no_show_pause_days: { type: 'number', default: 3, min: 1, max: 30, under: 'no_show_limit' },
  /** Members may have standing claims: the same hours each week. */
  standing_enabled: { type: 'switch', default: 0 },
  /** How many days before its date such a claim is made. */
  standing_days_ahead: { type: 'number', default: 7, min: 1, max: 14, under: 'standing_enabled' },
  /** How many of them a character may have. */
  standing_per_character: { type: 'number', default: 3, min: 1, max: 7, under: 'standing_enabled' },
  /** Hunters who are online in the game are marked. Not where characters are checked by hand. */
  online_enabled: { type: 'switch', default: 0 },
  /** The game's data of each verified character is read once a day. Not where characters are checked by hand. */
  facts_enabled: { type: 'switch', default: 0 },
  /** Who left the guild, or whose character was deleted, loses access after two looks. */
  leavers_lose_access: { type: 'switch', default: 0 },
  /** Member types follow guild ranks, unless an admin set the type. */
  ranks_follow: { type: 'switch', default: 0 },
} as const satisfies Readonly<Record<string, Switch | NumberSetting>>;

type Settings = typeof SETTINGS;
export type Setting = keyof Settings;
type SwitchSetting = { [S in Setting]: Settings[S] extends Switch ? S : never }[Setting];
export type NumericSetting = Exclude<Setting, SwitchSetting>;
export type SettingValues = { [S in SwitchSetting]: 0 | 1 } & { [S in NumericSetting]: number };

const isSetting = (name: string): name is Setting => Object.hasOwn(SETTINGS, name);
const isSwitchSetting = (name: string): name is SwitchSetting =>
  isSetting(name) && SETTINGS[name].type === 'switch';
const isNumericSetting = (name: string): name is NumericSetting =>
  isSetting(name) && SETTINGS[name].type === 'number';

export const SETTING_NAMES: readonly Setting[] = Object.keys(SETTINGS).filter(isSetting);
export const SWITCH_SETTINGS: readonly SwitchSetting[] = SETTING_NAMES.filter(isSwitchSetting);
export const NUMBER_SETTINGS: readonly NumericSetting[] = SETTING_NAMES.filter(isNumericSetting);

/** Something for each setting, by its type. */
export function perSetting<S, N>(
  ofSwitch: (name: SwitchSetting) => S,
  ofNumber: (name: NumericSetting) => N,
): { [K in SwitchSetting]: S } & { [K in NumericSetting]: N } {
  const made = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, isSwitchSetting(name) ? ofSwitch(name) : ofNumber(name)]),
  );
  // All names are there, each with the value of its type.
  return made as { [K in SwitchSetting]: S } & { [K in NumericSetting]: N };
}

export const DEFAULT_SETTINGS: Readonly<SettingValues> = perSetting<0 | 1, number>(
  (name) => SETTINGS[name].default,
  (name) => SETTINGS[name].default,
);
