import { z } from 'zod';
import { memberType } from '../../shared/schemas/member-type.ts';
import { type Route, route } from '../http/route.ts';
import { allMemberTypes } from './queries.ts';

const answer = z.array(memberType);

export const memberTypeRoutes: Route[] = [
  route({ method: 'get', path: '/member-types', access: 'open', summary: 'All member types', answer }, ({ ctx }) => allMemberTypes(ctx.db)),
  route({ method: 'get', path: '/admin/member-types', access: 'admin', summary: 'All member types, for admins', answer }, ({ ctx }) =>
    allMemberTypes(ctx.db),
  ),
];
