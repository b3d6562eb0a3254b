import { AppError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { endCover, listCovers, makeSupplyCard, startCover } from './covers.service.ts';
import { useCode } from './use-code.service.ts';

export const coverHandlers = defineHandlers({
  listCovers: { handle: async ({ db, me, now }) => ({ covers: await listCovers(db, me, now) }) },
  startCover: { handle: async ({ db, me, body, now }) => ({ cover: await startCover(db, me, body, now) }) },
  endCover: {
    handle: async ({ db, me, params, now }) => {
      await endCover(db, me, params.coverId, now);
      return {};
    },
  },
  makeSupplyCard: {
    handle: async ({ db, me, params, now, services: { config } }) => ({
      card: await makeSupplyCard(db, me, params.coverId, now, config),
    }),
  },
  logInWithCode: withPrepare({
    // In a transaction of its own, which ends the cover also when the call fails.
    prepare: async ({ body, client, now, write, services: { config } }) => {
      const used = await write((db) => useCode(db, body.code, { client, now, config }));
      if ('error' in used) throw new AppError(used.error);
      return used.signedIn;
    },
    handle: ({ prepared }) => Promise.resolve(prepared),
  }),
});
