import { defineHandlers } from '../../../http/pipeline.ts';
import { getReadingPage } from './reading-feed.service.ts';

export const readingFeedHandlers = defineHandlers({
  listReading: { handle: ({ db, me, query, now }) => getReadingPage(db, me, query, now) },
});
