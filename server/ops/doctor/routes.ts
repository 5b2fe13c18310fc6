import { systemCheckup } from '../../../shared/schemas/system.ts';
import { routeFor } from '../../http/router.ts';
import { type CheckupContext, checkups } from './checkups.ts';

const route = routeFor<CheckupContext>();

export const doctorRoutes = [
  route(
    {
      method: 'post',
      path: '/admin/system/checkup',
      access: 'system',
      summary: 'Run all checks, unless they already run on a server',
      answer: systemCheckup,
    },
    async ({ ctx }) => {
      await checkups(ctx).start();
      return checkups(ctx).state();
    },
  ),
];
