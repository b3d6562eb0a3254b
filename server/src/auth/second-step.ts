import type { ErrorReply } from '#contract/error-reply.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import { countRecoveryCodes, listFactors } from './login-factors.queries.ts';

type Methods = NonNullable<ErrorReply['second_factor']>['methods'];

/** How the user can take the second step of a login; empty when their password is enough. */
export async function listSecondSteps(db: PlatformDb, userId: number): Promise<Methods> {
  const kinds = new Set((await listFactors(db, userId)).map(({ kind }) => kind));
  if (kinds.size === 0) return [];
  return [...kinds, ...((await countRecoveryCodes(db, userId)) > 0 ? ['recovery_code' as const] : [])];
}
