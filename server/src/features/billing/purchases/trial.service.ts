import { type Actor, recordChange } from '../../../audit/audit-log.queries.ts';
import { addDays } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import {
  dayOf,
  endOfDay,
  getSubscription,
  insertSubscription,
  startOfDay,
  type SubscriptionRow,
} from '../subscriptions/subscriptions.public.ts';
import { findCustomer, listOfferedPackages } from './purchases.queries.ts';
import { evaluatePackageChoice } from './packages.service.ts';

/** Length of a trial in days, its first day not counted. */
const TRIAL_DAYS = 30;

/**
 * Starts the free trial. Throws `package_not_found`, or `trial_unavailable` if the school has had a subscription.
 * @param packageId the id of a trial; without it, the trial on offer
 */
export async function startTrial(
  db: SchoolDb,
  me: Actor,
  packageId: number | undefined,
  now: Date,
): Promise<SubscriptionRow> {
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  await lockSchool(db);
  const offers = await listOfferedPackages(db);
  const trial = offers.find(({ id, is_trial }) => is_trial && (packageId === undefined || id === packageId));
  if (!trial) throw new AppError('package_not_found');
  const choice = evaluatePackageChoice(trial, await findCustomer(db), now);
  if (choice.rejection) throw new AppError(choice.rejection);
  const subscription = {
    package_id: trial.id,
    title: trial.title,
    is_trial: true,
    max_readers: trial.max_readers,
    payment_provider: null,
    payment_amount_pence: 0,
    price_per_year_pence: 0,
    next_period: null,
    starts_at: startOfDay(dayOf(now)),
    expires_at: endOfDay(addDays(dayOf(now), TRIAL_DAYS)),
    replaces_id: null,
  };
  const id = await insertSubscription(db, subscription, now);
  await recordChange(db, me, now, {
    action: 'trial_started',
    subjectKind: 'subscription',
    subjectId: id,
    details: { package: trial.title },
  });
  return getSubscription(db, id);
}
