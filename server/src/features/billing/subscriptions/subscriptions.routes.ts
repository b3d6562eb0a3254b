import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { listOfferedPackages } from './packages.queries.ts';
import { findCustomer } from './customer.queries.ts';
import { toPackageOffer } from './packages.service.ts';
import { startTrial, toSubscription } from './subscriptions.service.ts';
import { findSubscription } from './subscriptions.queries.ts';

export const subscriptionHandlers = defineHandlers({
  getSubscription: {
    handle: async ({ db, now }) => {
      const subscription = await findSubscription(db);
      return { subscription: subscription ? toSubscription(subscription, now) : null };
    },
  },
  listPackages: {
    handle: async ({ db, now, services: { config } }) => {
      const customer = await findCustomer(db);
      const offers = await listOfferedPackages(db);
      return { packages: offers.map((offer) => toPackageOffer(offer, customer, now, config.seller)) };
    },
  },
  getPackage: {
    handle: async ({ db, params, query, now, services: { config } }) => {
      const offer = (await listOfferedPackages(db)).find(({ id }) => id === params.packageId);
      if (!offer) throw new AppError('package_not_found');
      const customer = await findCustomer(db);
      const billingCountry = query.country_code ?? customer.billingCountry;
      const described = toPackageOffer(offer, { ...customer, billingCountry }, now, config.seller);
      return { package: described, meta: described.meta };
    },
  },
  startTrial: {
    handle: async ({ db, me, body, now }) => ({
      subscription: toSubscription(await startTrial(db, me, body.package_id, now), now),
    }),
  },
});
