import type { PlatformDb } from '../database/platform-db.ts';
import type { KeyConfig } from '../auth/secrets-key.ts';
import { findHead, findSigningKey, lockChain, saveHead } from './audit-head.queries.ts';

/**
 * Signs the head of a school's chain with the first key. `unchanged` when that key signed it. A head that none of the keys
 * signed stays as it is, because a new signature would hide that someone changed it.
 */
export async function resignChain(
  db: PlatformDb,
  config: KeyConfig,
  schoolId: number,
): Promise<'resigned' | 'unchanged' | 'unsigned'> {
  await lockChain(db, schoolId);
  const found = await findHead(db, schoolId);
  if (!found) return 'unchanged';
  const position = findSigningKey(config, schoolId, found);
  if (position < 0) return 'unsigned';
  if (position === 0) return 'unchanged';
  const { signature, ...head } = found;
  await saveHead(db, config, schoolId, signature, head);
  return 'resigned';
}
