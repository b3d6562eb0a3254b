export { ingestSessions, parseSessions } from './reading-app.service.ts';
