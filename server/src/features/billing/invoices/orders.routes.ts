import { defineHandlers } from '../../../http/pipeline.ts';
import { toInvoice } from './invoices.service.ts';
import { subscribe } from './orders.service.ts';

export const orderHandlers = defineHandlers({
  subscribe: {
    handle: async ({ db, me, body, now, services: { config } }) => ({
      invoice: toInvoice(await subscribe(db, me, body, config, now), config.publicUrl),
    }),
  },
});
