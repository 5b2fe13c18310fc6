import type { ActivityAction } from '../../../shared/activity-actions.ts';
import type { TestApp } from '../../dev/test/test-app.ts';
import type { GameData } from '../../members/verification/test/game-data.ts';

interface Answer {
  status: number;
  body: unknown;
}
/** A call that may write, with a successful example of it. */
export interface Write {
  /** The log entry it must write; null: the call only reads, or changes nothing but the member's own settings. */
  owes: ActivityAction | null;
  /** The fields that an update changes, whose old and new values the log must have. */
  changed?: string[];
  /** Gets everything ready and then hands over the call itself. */
  make: (app: TestApp, data: GameData) => Promise<() => PromiseLike<Answer>>;
}

/** @param call the method and the path, such as `put /admin/config` */
export function admin(
  app: TestApp,
  call: `${'post' | 'put' | 'delete'} ${string}`,
  body: object = {},
) {
  // A path may have spaces, too.
  const [method, ...path] = call.split(' ');
  return app.api[method as 'post' | 'put' | 'delete'](path.join(' ')).set(app.admin).send(body);
}
