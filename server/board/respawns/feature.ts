import path from 'node:path';
import express from 'express';
import type { Feature } from '../../feature.ts';
import { catalogueDir } from '../catalogue/catalogue.ts';
import { respawnRecords } from '../records/respawns.ts';
import { type BoardContext, boardRoutes } from './board-routes.ts';
import { servePictures } from './pictures.ts';
import { respawnUndo } from './restore.ts';
import { respawnRoutes } from './routes.ts';

export const respawns: Feature<BoardContext> = {
  name: 'respawns',
  routes: [...boardRoutes, ...respawnRoutes],
  mountDownloads: (router, ctx) => {
    router.get('/assets/respawns/:name', servePictures(ctx));
    router.use(
      '/assets/respawns',
      express.static(path.join(catalogueDir(), 'images'), { maxAge: '7d', etag: true }),
    );
  },
  records: { respawn: respawnRecords },
  undo: [respawnUndo],
};
