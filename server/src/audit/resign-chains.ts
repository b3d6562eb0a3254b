import type { PlatformDb } from '../database/platform-db.ts';
import type { KeyConfig } from '../auth/secrets-key.ts';
import { findChain, findSigningKey, saveChain } from './audit-chain.queries.ts';

/**
 * Signs the head of a school's chain with the first key. `unchanged` when that key signed it. A head that none of the keys
 * signed stays as it is, because a new signature would hide that someone changed it.
 */
export async function resignChain(
  db: PlatformDb,
  config: KeyConfig,
  schoolId: number,
): Promise<'resigned' | 'unchanged' | 'unsigned'> {
  const chain = await findChain(db, schoolId).forUpdate().executeTakeFirst();
  if (!chain) return 'unchanged';
  const { signature, ...ends } = chain;
  const position = findSigningKey(config, schoolId, ends, signature);
  if (position === undefined) return 'unsigned';
  if (position === 0) return 'unchanged';
  await saveChain(db, config, schoolId, ends);
  return 'resigned';
}
