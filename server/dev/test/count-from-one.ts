import { countFromOne } from './builders.ts';

// Run again for each file of tests, also where files share their modules.
countFromOne();
