import { CONFIG_ID } from '../../../../shared/live.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import { useBoard } from '../../../store/board-store.ts';

/** The guild's settings, live; undefined until the board is there. */
export const useConfig = (): Config | undefined => useBoard((board) => board.byKind.config.get(CONFIG_ID));
