import { z } from 'zod';
import { REQUEST_ID } from '../request-id.ts';
import { MAX_ERROR_MESSAGE, MAX_ERROR_PAGE, MAX_ERROR_STACK } from '../rules/client-error.ts';

export const clientError = z.object({
  message: z.string().max(MAX_ERROR_MESSAGE),
  stack: z.string().max(MAX_ERROR_STACK).optional(),
  /** The path of the page it happened on. */
  page: z.string().max(MAX_ERROR_PAGE),
  /** Of the request that was answered last before. */
  request_id: z.string().max(36).regex(REQUEST_ID).optional(),
});
export type ClientError = z.infer<typeof clientError>;
