import { defineHandlers } from '../../../http/pipeline.ts';
import { allowSupport, describeSupportAccess, endSupportAccess } from './support-access.service.ts';

export const supportAccessHandlers = defineHandlers({
  getSupportAccess: { handle: async ({ db, now }) => ({ support_access: await describeSupportAccess(db, now) }) },
  allowSupportAccess: {
    handle: async ({ db, me, now }) => {
      await allowSupport(db, me, now);
      return { support_access: await describeSupportAccess(db, now) };
    },
  },
  endSupportAccess: {
    handle: async ({ db, me, now }) => {
      await endSupportAccess(db, me, now);
      return { support_access: await describeSupportAccess(db, now) };
    },
  },
});
