/** Which claims a member's calendar has: those of so many server-save dates before today and after it. */
export const CALENDAR_DAYS = { past: 30, ahead: 90 } as const;
