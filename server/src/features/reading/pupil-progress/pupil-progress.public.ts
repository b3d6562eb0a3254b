export { listLatestSessions } from './pupil-sessions.queries.ts';
export { toReadingSession } from './pupil-sessions.service.ts';
