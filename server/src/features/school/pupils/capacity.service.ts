import type { ImportPreview } from '#contract/calls/pupil-import.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffMember } from '../../../context.ts';
import { capacityOf, countActivePupils, findSubscription } from '../../billing/subscriptions/subscriptions.public.ts';

/** The school's capacity and its use, without archived pupils; null for no limit. */
export async function getCapacity(db: SchoolDb, now: Date): Promise<ImportPreview['capacity']> {
  const max = capacityOf(await findSubscription(db), now);
  const used = await countActivePupils(db);
  return { max_readers: max, used, left: max === null ? null : Math.max(0, max - used) };
}

/** Throws `max_readers_reached` unless the school has places for `count` more pupils. */
export async function assertCapacity(
  db: SchoolDb,
  me: Pick<StaffMember, 'role'>,
  count: number,
  now: Date,
): Promise<void> {
  const { left } = await getCapacity(db, now);
  if (left === null || count <= left) return;
  const remedy =
    me.role === 'admin' ? 'click here to upgrade' : 'contact your school administrator to upgrade your package';
  throw new AppError('max_readers_reached', {
    code: `max-readers-reached:${me.role}:${left}`,
    text: `Your current subscription only has capacity for ${left} new readers, ${remedy}`,
  });
}
