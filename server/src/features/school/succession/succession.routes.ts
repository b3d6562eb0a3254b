import { defineHandlers } from '../../../http/pipeline.ts';
import {
  requestAdmin,
  cancelRequest,
  checkRequest,
  confirmRequest,
  describeOpenRequests,
  stopRequest,
} from './succession.service.ts';

const toIds = ({ schoolId, adminRequestId }: { schoolId: number; adminRequestId: number }) => ({
  schoolId,
  requestId: adminRequestId,
});

export const successionHandlers = defineHandlers({
  requestAdmin: {
    handle: async ({ db, me, body, now, services }) => {
      const { former_admin_ids: formerAdminIds, new_admin_id: newAdminId, note } = body;
      await requestAdmin(db, me, { formerAdminIds, newAdminId, note }, now, services.config);
      return {};
    },
  },
  stopAdminRequest: {
    handle: async ({ db, me, params, now, services }) => {
      await stopRequest(db, me, params.adminRequestId, now, services.config);
      return {};
    },
  },
  listAdminRequests: { handle: async ({ db }) => ({ requests: await describeOpenRequests(db) }) },
  checkAdminRequest: {
    handle: async ({ db, me, params, body, now }) => {
      await checkRequest(db, me, toIds(params), body.check, now);
      return {};
    },
  },
  confirmAdminRequest: {
    handle: async ({ db, me, params, now, services }) => {
      await confirmRequest(db, me, toIds(params), now, services.config);
      return {};
    },
  },
  cancelAdminRequest: {
    handle: async ({ db, me, params, now, services }) => {
      await cancelRequest(db, me, toIds(params), now, services.config);
      return {};
    },
  },
});
