import { create } from 'zustand';

/** Whether the calendars' dialog is open: the profile menu, which closes at once, opens it. */
export const useCalendarOpen = create<{ open: boolean }>(() => ({ open: false }));

export const setCalendarOpen = (open: boolean): void => useCalendarOpen.setState({ open });
