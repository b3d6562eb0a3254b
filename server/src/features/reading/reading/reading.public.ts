export { listLatestSessions } from './reading.queries.ts';
export { toReadingSession } from './reading.service.ts';
