import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { toInvoice } from '../invoices/invoices.public.ts';
import { toSubscription } from '../subscriptions/subscriptions.public.ts';
import { grantCustomPackage } from './custom-packages.service.ts';
import { findCustomer, listOfferedPackages } from './purchases.queries.ts';
import { toPackageOffer } from './packages.service.ts';
import { purchasePackage } from './purchases.service.ts';
import { startTrial } from './trial.service.ts';

export const purchaseHandlers = defineHandlers({
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
  subscribe: {
    handle: async ({ db, me, body, now, services: { config } }) => ({
      invoice: toInvoice(await purchasePackage(db, me, body, config, now), config.publicUrl),
    }),
  },
  grantCustomPackage: {
    handle: async ({ db, me, params, body, now, services: { config } }) => {
      const { subscription, invoice } = await grantCustomPackage(db, me, params.schoolId, body, config, now);
      return { subscription: toSubscription(subscription, now), invoice_number: invoice?.number ?? null };
    },
  },
});
