import { defineHandlers } from '../../../http/pipeline.ts';
import { listReadingLevels, updateReadingLevel } from './reading-levels.queries.ts';

export const readingLevelHandlers = defineHandlers({
  listReadingLevels: { handle: async ({ db }) => ({ levels: await listReadingLevels(db) }) },
  listLevelsForOperators: { handle: async ({ db }) => ({ levels: await listReadingLevels(db) }) },
  updateReadingLevel: {
    handle: async ({ db, params: { level }, body }) => {
      await updateReadingLevel(db, { level, ...body });
      return { levels: await listReadingLevels(db) };
    },
  },
});
