import type { ImportPreview } from '#contract/calls/pupil-import.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { capacityOf, findSubscription } from '../subscriptions/subscriptions.public.ts';
import { countPupils } from './pupils.queries.ts';

/** How many pupils the school may have and has, those in the archive left out; null for no bound. */
export async function getCapacity(db: SchoolDb, now: Date): Promise<ImportPreview['capacity']> {
  const max = capacityOf(await findSubscription(db), now);
  const used = await countPupils(db);
  return { max_readers: max, used, left: max === null ? null : Math.max(0, max - used) };
}

/** Throws `max_readers_reached` when the school has fewer places left. */
export async function assertCapacity(db: SchoolDb, me: StaffSession, wanted: number, now: Date): Promise<void> {
  const { left } = await getCapacity(db, now);
  if (left === null || wanted <= left) return;
  const way =
    me.role === 'admin' ? 'click here to upgrade' : 'contact your school administrator to upgrade your package';
  throw new AppError('max_readers_reached', {
    code: `max-readers-reached:${me.role}:${left}`,
    text: `Your current subscription only has capacity for ${left} new readers, ${way}`,
  });
}
