import { create } from 'zustand';

/** Whether the palette is open: keys and menus open it. */
export const usePaletteOpen = create<{ open: boolean }>(() => ({ open: false }));

export const setPaletteOpen = (open: boolean): void => usePaletteOpen.setState({ open });
