/** Settings that show in what a new database is filled with. */
export const SHOWN_WHEN_FILLED: readonly string[] = [
  'ADMIN_USERNAME',
  'ADMIN_PASSWORD',
  'SS_TIME_ZONE',
  'SS_HOUR',
];
