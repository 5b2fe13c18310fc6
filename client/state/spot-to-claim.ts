import { create } from 'zustand';

/**
 * A spot that somebody wants to claim by its name; null: none. The board takes it up. In no address and no history: a page that is
 * loaded again asks nothing again.
 */
export const useSpotToClaim = create<{ respawn_id: number | null }>(() => ({ respawn_id: null }));

export const askToClaim = (respawn_id: number): void => useSpotToClaim.setState({ respawn_id });
export const takeUpClaim = (): void => useSpotToClaim.setState({ respawn_id: null });
