import { defineHandlers } from '../../../http/pipeline.ts';
import { cancelClosing, confirmClosing, requestClosing } from './school-closing.service.ts';

export const schoolClosingHandlers = defineHandlers({
  requestClosing: {
    handle: async ({ db, me, now, services }) => {
      await requestClosing(db, me, now, services.config);
      return {};
    },
  },
  confirmClosing: {
    handle: async ({ db, me, now, services }) => {
      await confirmClosing(db, me, now, services.config);
      return {};
    },
  },
  cancelClosing: {
    handle: async ({ db, me, now, services }) => {
      await cancelClosing(db, me, now, services.config);
      return {};
    },
  },
});
