import type { Counter } from 'prom-client';
import type { Subscriptions } from '../../db/domain-events.ts';
import type { JobContext } from '../../jobs/job-kind.ts';
import type { Post } from './post.ts';

/** What a job needs that sends to the outside. */
export interface SenderContext extends JobContext, Subscriptions {
  post: Post;
  metrics: JobContext['metrics'] & { deliveries: Counter<'kind' | 'outcome'> };
}
