import { backup } from './checks/backup.ts';
import { clock } from './checks/clock.ts';
import { disk, files, network } from './checks/folder.ts';
import { integrity } from './checks/integrity.ts';
import { port } from './checks/port.ts';
import { address, live, page } from './checks/public.ts';
import { build, node, settings } from './checks/setting.ts';
import { counts, database, occupancy } from './checks/stored.ts';
import { destinations, due, jobs } from './checks/work.ts';
import type { Check } from './finding.ts';

/** Everything that is looked at, in its order: what is quick and explains most comes first, what goes through all there ever was last. */
export const CHECKS: readonly Check[] = [
  settings,
  node,
  build,
  port,
  files,
  disk,
  network,
  database,
  clock,
  address,
  page,
  live,
  jobs,
  due,
  destinations,
  backup,
  integrity,
  occupancy,
  counts,
];
